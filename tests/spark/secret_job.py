"""A whole job with a secret in its catalog options and DEBUG on everywhere; run in a process of its own by test_secrets."""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path

from paimon_bridge import Bridge
from paimon_bridge.errors import BridgeError
from paimon_bridge.spark import gateway
from tests.conftest import start_spark


def main(folder: Path, secret: str) -> None:
    logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    events = folder / "events"
    events.mkdir()
    spark = start_spark(
        "local[2]", **{"spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file:{events}", "spark.log.level": "DEBUG"}
    )
    spark.sparkContext.setLogLevel("DEBUG")
    for name in ("py4j", "py4j.java_gateway", "py4j.clientserver"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    gateway.HANDOVER_BYTES = 100  # so that the hand-over goes by file
    warehouse = f"file:{folder}/warehouse"
    bridge = Bridge(spark, {"warehouse": warehouse, "s3.secret-key": secret, "token": secret, "jdbc.password": secret})
    rows = spark.range(100)
    bridge.create_table("db.t", rows.schema)
    messages = bridge.write(rows, "db.t")
    messages.save(folder / "messages.bin")
    print(bridge, bridge.describe("db.t"), bridge.check(messages), bridge.explain_commit(messages), bridge.commit(messages))
    print(bridge.abort(bridge.write(rows, "db.t")), bridge.read_arrow("db.t").num_rows)
    # Errors of the gate, of the table, and of a catalog that cannot be opened and may repeat its options.
    broken = Bridge(spark, {"warehouse": warehouse, "metastore": "nonsense", "s3.secret-key": secret})
    attempts = (
        lambda: bridge.commit(messages, commit_user="other"),
        lambda: bridge.describe("db.nowhere"),
        lambda: broken.describe("db.t"),
        lambda: bridge.commit(messages, overwrite={"id": 1}),
    )
    failures = 0
    for attempt in attempts:
        try:
            attempt()
        except BridgeError as error:
            failures += 1
            traceback.print_exc()
            print(error, error.details)
    spark.stop()
    print(f"{failures} of {len(attempts)} failed as they should")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
