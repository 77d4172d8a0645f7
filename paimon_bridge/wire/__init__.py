"""Commit messages on the wire: every version of Paimon's CommitMessage and ManifestCommittable, and our envelope around them."""

from __future__ import annotations

from paimon_bridge.wire.codec import decode, decode_list, encode, encode_list
from paimon_bridge.wire.committable import decode_committable, encode_committable
from paimon_bridge.wire.envelope import FOREIGN, WRITTEN_HERE, Envelope
from paimon_bridge.wire.foreign import wrap_foreign
from paimon_bridge.wire.loss import Loss, losses
from paimon_bridge.wire.messages import Messages
from paimon_bridge.wire.versions import COMMITTABLE_VERSIONS, MESSAGE_VERSIONS, RELEASES

__all__ = [
    "COMMITTABLE_VERSIONS",
    "FOREIGN",
    "MESSAGE_VERSIONS",
    "RELEASES",
    "WRITTEN_HERE",
    "Envelope",
    "Loss",
    "Messages",
    "decode",
    "decode_committable",
    "decode_list",
    "encode",
    "encode_committable",
    "encode_list",
    "losses",
    "wrap_foreign",
]
