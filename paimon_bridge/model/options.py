"""Paimon's table options, typed, with the defaults of Paimon's ``CoreOptions`` (read in 1.0.1, 1.4.2 and 2.0.0).

Only what a writer needs. A value that Paimon would refuse is refused here too, by the option's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from paimon_bridge.model.profile import KEY_PREFIX, KEY_STATS, NO_STATS, SYSTEM_COLUMNS, FileProfile, StatsMode, option_invalid
from paimon_bridge.model.table import TableSpec

MEBIBYTE = 1024 * 1024

_UNITS = {
    **dict.fromkeys(("", "b", "bytes"), 1),
    **dict.fromkeys(("k", "kb", "kibibytes"), 1024),
    **dict.fromkeys(("m", "mb", "mebibytes"), MEBIBYTE),
    **dict.fromkeys(("g", "gb", "gibibytes"), 1024 * MEBIBYTE),
    **dict.fromkeys(("t", "tb", "tebibytes"), 1024 * 1024 * MEBIBYTE),
}

# What Java puts into a file name when file.suffix.include.compression is on; other codecs keep their own name (DataFilePathFactory).
_COMPRESSION_SUFFIXES = {"gzip": "gz", "zstd": "zst", "bzip2": "bz2"}


def at_least(release: str, minimum: str) -> bool:
    """Whether a Paimon release such as ``1.4.2`` or ``2.1-SNAPSHOT`` is ``minimum`` or newer."""
    return _numbers(release) >= _numbers(minimum)


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", release)[:3])


class TableOptions:
    """Typed views of ``TableSpec.options``. Values are parsed when asked for; a bad one raises TableError then."""

    def __init__(self, spec: TableSpec) -> None:
        self._options: Mapping[str, str] = spec.options
        self._release = spec.release
        self._has_primary_key = bool(spec.primary_keys)

    # -- files ---------------------------------------------------------------------------------------------------------------------

    @property
    def data_profile(self) -> FileProfile:
        """Files of append tables."""
        return FileProfile(
            format=self.file_format,
            compression=self._codec(self.file_compression),
            stats_mode=StatsMode.parse(self.text("metadata.stats-mode", "truncate(16)"), "metadata.stats-mode"),
            prefix=self.data_file_prefix,
        )

    @property
    def level_0_profile(self) -> FileProfile:
        """Data files of primary-key tables. Options per level hold for level 0, the one that writers make."""
        general = self.data_profile
        mode = self._of_level_0("metadata.stats-mode.per.level") if at_least(self._release, "1.1") else None
        return replace(
            general,
            format=(self._of_level_0("file.format.per.level") or general.format).lower(),
            compression=self._codec(self._of_level_0("file.compression.per.level") or self.file_compression),
            stats_mode=general.stats_mode if mode is None else StatsMode.parse(mode, "metadata.stats-mode.per.level"),
        )

    @property
    def changelog_profile(self) -> FileProfile:
        """Changelog files of primary-key tables; their own options exist since 1.1."""
        data = self.level_0_profile
        own = self.text if at_least(self._release, "1.1") else (lambda option, default: default)
        mode = own("changelog-file.stats-mode", "")
        return FileProfile(
            format=own("changelog-file.format", data.format).lower(),
            compression=self._codec(own("changelog-file.compression", data.compression)),
            stats_mode=StatsMode.parse(mode, "changelog-file.stats-mode") if mode else data.stats_mode,
            prefix=self.text("changelog-file.prefix", "changelog-"),
        )

    def _of_level_0(self, option: str) -> str | None:
        """An option such as ``0:avro,5:parquet``: what it says of level 0."""
        pairs = (pair.partition(":") for pair in self.text(option, "").split(",") if pair.strip())
        return {level.strip(): value.strip() for level, _, value in pairs}.get("0")

    def _codec(self, general: str) -> str:
        """``parquet.compression`` wins over Paimon's own options, as Hadoop's configuration does in Java."""
        return self.text("parquet.compression", general).lower()

    @property
    def file_format(self) -> str:
        return self.text("file.format", "parquet").lower()

    @property
    def file_compression(self) -> str:
        return self.text("file.compression", "zstd").lower()

    @property
    def zstd_level(self) -> int:
        return self.integer("parquet.compression.codec.zstd.level", self.integer("file.compression.zstd-level", 1))

    @property
    def target_file_size(self) -> int:
        return self.size("target-file-size", (128 if self._has_primary_key else 256) * MEBIBYTE)

    @property
    def target_file_row_num(self) -> int | None:
        """Rows after which a file is closed; the option exists since 2.0."""
        exists = "target-file-row-num" in self._options and at_least(self._release, "2.0")
        return self.integer("target-file-row-num", 0) if exists else None

    @property
    def row_group_size(self) -> int:
        """Bytes of a Parquet row group: ``file.block-size``, then ``parquet.block.size``, then Java's 128 MB."""
        return self.size("file.block-size", self.integer("parquet.block.size", 128 * MEBIBYTE))

    @property
    def data_file_prefix(self) -> str:
        return self.text("data-file.prefix", "data-")

    @property
    def data_file_path_directory(self) -> str | None:
        return self._options.get("data-file.path-directory")

    def file_extension(self, file_format: str) -> str:
        """What follows the counter in the name of a file of this format."""
        if self.boolean("file.suffix.include.compression", False) and self.file_compression != "none":
            return f".{_COMPRESSION_SUFFIXES.get(self.file_compression, self.file_compression)}.{file_format}"
        return f".{file_format}"

    @property
    def external_paths_strategy(self) -> str:
        strategy = self.text("data-file.external-paths.strategy", "none").lower()
        return strategy if self._options.get("data-file.external-paths") else "none"

    # -- buckets and keys ----------------------------------------------------------------------------------------------------------

    @property
    def bucket(self) -> int:
        return self.integer("bucket", -1)

    @property
    def bucket_keys(self) -> tuple[str, ...]:
        """The columns of ``bucket-key``, in its order; Paimon does not trim them. Empty where the option is not set."""
        value = self._options.get("bucket-key")
        return tuple(value.split(",")) if value else ()

    @property
    def bucket_append_ordered(self) -> bool:
        return self.boolean("bucket-append-ordered", True)

    @property
    def bucket_function(self) -> str:
        """``default``, ``mod`` or ``hive``; the option exists since 1.3."""
        return self.choice("bucket-function.type", "default", ("default", "mod", "hive"))

    @property
    def merge_engine(self) -> str:
        return self.choice("merge-engine", "deduplicate", ("deduplicate", "partial-update", "aggregation", "first-row"))

    @property
    def ignore_delete(self) -> bool:
        aliases = ("first-row.ignore-delete", "deduplicate.ignore-delete", "partial-update.ignore-delete")
        return self.boolean("ignore-delete", False, *aliases)

    @property
    def ignore_update_before(self) -> bool:
        return self.boolean("ignore-update-before", False) and at_least(self._release, "1.3")

    @property
    def sequence_fields(self) -> tuple[str, ...]:
        value = self._options.get("sequence.field")
        return tuple(name.strip() for name in value.split(",")) if value else ()

    @property
    def sequence_descending(self) -> bool:
        return self.choice("sequence.field.sort-order", "ascending", ("ascending", "descending")) == "descending"

    @property
    def rowkind_field(self) -> str | None:
        return self._options.get("rowkind.field")

    @property
    def changelog_producer(self) -> str:
        return self.choice("changelog-producer", "none", ("none", "input", "lookup", "full-compaction"))

    @property
    def thin_mode(self) -> bool:
        return self.boolean("data-file.thin-mode", False)

    @property
    def postpone_fixed_bucket(self) -> bool:
        """Whether batch writes of a postponed table go straight to real buckets.

        Since 1.4 the option is true by default, but only Flink and Spark heed it; Paimon's own write builder postpones all the same.
        So do we, unless the table says it in so many words.
        """
        return self.boolean("postpone.batch-write-fixed-bucket", False) and at_least(self._release, "1.4")

    @property
    def row_tracking(self) -> bool:
        return self.boolean("row-tracking.enabled", False) and at_least(self._release, "1.3")

    @property
    def write_only(self) -> bool:
        return self.boolean("write-only", False, "write.compaction-skip")

    @property
    def write_buffer_size(self) -> int:
        return self.size("write-buffer-size", 256 * MEBIBYTE)

    @property
    def has_field_rules(self) -> bool:
        """Whether single columns have merge rules of their own: sequence groups or aggregate functions."""
        ends = (".sequence-group", ".aggregate-function")
        return any(name.startswith("fields.") and name.endswith(ends) for name in self._options) or (
            "fields.default-aggregate-function" in self._options
        )

    # -- partitions ----------------------------------------------------------------------------------------------------------------

    @property
    def partition_default_name(self) -> str:
        return self.text("partition.default-name", "__DEFAULT_PARTITION__")

    @property
    def partition_legacy_name(self) -> bool:
        return self.boolean("partition.legacy-name", True)

    # -- statistics ----------------------------------------------------------------------------------------------------------------

    @property
    def stats_dense_store(self) -> bool:
        return self.boolean("metadata.stats-dense-store", True)

    def stats_modes(self, columns: Sequence[str], general: StatsMode, *, thin_keys: Sequence[str] = ()) -> tuple[StatsMode, ...]:
        """The statistics of each column of a file: its own mode, else a key's, else the general one of its files.

        The rules are those of Paimon's ``StatsCollectorFactories``: a column's own ``fields.<name>.stats-mode`` always holds and
        counts towards ``metadata.stats-keep-first-n-columns``; system columns neither follow nor count. ``thin_keys`` are the key
        columns of a file that leaves its ``_KEY_`` columns out.
        """
        keep = self.integer("metadata.stats-keep-first-n-columns", -1) if at_least(self._release, "1.2") else -1
        return tuple(self._stats_modes(columns, general, keep, frozenset(thin_keys)))

    def _stats_modes(self, columns: Sequence[str], general: StatsMode, keep: int, thin_keys: frozenset[str]) -> Iterator[StatsMode]:
        counted = 0
        for column in columns:
            option = f"fields.{column}.stats-mode"
            own = self._options.get(option)
            if own is None and (column.startswith(KEY_PREFIX) or column in SYSTEM_COLUMNS or column in thin_keys):
                yield KEY_STATS
                continue
            if own is not None:
                yield StatsMode.parse(own, option)
            else:
                yield NO_STATS if 0 <= keep <= counted else general
            counted += 1

    # -- reading one value ---------------------------------------------------------------------------------------------------------

    def text(self, option: str, default: str) -> str:
        return self._options.get(option, default)

    def boolean(self, option: str, default: bool, *fallback_options: str) -> bool:
        for name in (option, *fallback_options):
            value = self._options.get(name)
            if value is not None:
                if value.strip().lower() not in ("true", "false"):
                    raise option_invalid(name, value, "true or false")
                return value.strip().lower() == "true"
        return default

    def choice(self, option: str, default: str, choices: Sequence[str]) -> str:
        value = self._options.get(option, default).strip().lower()
        if value not in choices:
            raise option_invalid(option, value, f"one of {', '.join(choices)}")
        return value

    def integer(self, option: str, default: int) -> int:
        value = self._options.get(option)
        if value is None:
            return default
        try:
            return int(value.strip())
        except ValueError:
            raise option_invalid(option, value, "a whole number") from None

    def size(self, option: str, default: int) -> int:
        value = self._options.get(option)
        return default if value is None else parse_size(value, option)

    def with_prefix(self, prefix: str) -> dict[str, str]:
        """Options below a prefix, named without it: ``parquet.enable.dictionary#city`` under ``parquet.enable.dictionary#``."""
        return {name.removeprefix(prefix): value for name, value in self._options.items() if name.startswith(prefix)}


def parse_size(text: str, option: str = "") -> int:
    """Bytes of a Paimon memory size such as ``128 mb``, ``1g`` or ``4096``."""
    match = re.fullmatch(r"(\d+)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in _UNITS:
        raise option_invalid(option, text, "a size such as 128 mb, 1g or 4096")
    return int(match[1]) * _UNITS[match[2]]
