"""Input columns become the table's columns: matched by name, of a type that fits, converted without loss, or refused.

Every finding is collected before anything is raised: all columns of the schema, then all columns of a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from difflib import get_close_matches

import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.errors import WriteError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType, Field
from paimon_bridge.write.describe import VALUE_KIND
from paimon_bridge.write.filetypes import FileSchema, entry_types, file_schema, is_int96, walk
from paimon_bridge.write.nested import null_in_required


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFinding:
    """One reason why the input cannot be written. ``row`` counts from 0 over the rows this writer was given."""

    code: str
    column: str
    message: str
    row: int | None = None


# The code of an error with findings of several kinds.
MIXED_FINDINGS = "INPUT_REFUSED"

_REMEDIES = {
    "COLUMN_MISSING": "add the column (a null literal where it is nullable), or rename the one that stands for it.",
    "COLUMN_UNKNOWN": "drop the column, or add it to the table.",
    "COLUMN_DUPLICATE": "rename or drop all but one of them.",
    "COLUMN_TYPE": "cast the column to the table's type.",
    "NULL_IN_REQUIRED_COLUMN": "filter or fill the nulls, or make the column nullable in the table.",
    "ROW_KIND_UNKNOWN": "give every row one of the kinds +I, -U, +U and -D.",
    "VALUE_DOES_NOT_FIT": "round or cast the column to the table's type first, or widen the table's type.",
}


def refuse(findings: Iterable[InputFinding], spec: TableSpec, where: str = "") -> WriteError:
    """The error for input that cannot be written. It is final: the same rows would be refused again."""
    listed = list(findings)
    codes = sorted({finding.code for finding in listed})
    text = "; ".join(f"column {finding.column}: {finding.message}" for finding in listed)
    return WriteError(
        f"the rows do not fit {spec.name}: {text}",
        code=codes[0] if len(codes) == 1 else MIXED_FINDINGS,
        where=where,
        remedy=" ".join(_REMEDIES[code] for code in codes),
        details={"final": True, "findings": [asdict(finding) for finding in listed]},
    )


@dataclass(frozen=True)
class ColumnMatch:
    """Where each of the table's columns is in the input, and the schema of the files these rows go to."""

    positions: tuple[int, ...]
    schema: FileSchema


def system_columns(spec: TableSpec) -> frozenset[str]:
    """Columns that rows may bring beside the table's own: in primary-key tables, what each row does."""
    return frozenset({VALUE_KIND}) if spec.primary_keys else frozenset()


def match_columns(schema: pa.Schema, spec: TableSpec, system: frozenset[str] = frozenset()) -> ColumnMatch:
    """Match input columns by name; raises WriteError with every misfit. ``system`` are extra names the caller takes care of."""
    findings = [
        InputFinding(code="COLUMN_DUPLICATE", column=name, message="the input has it more than once")
        for name in sorted({name for name in schema.names if schema.names.count(name) > 1})
    ]
    for field in spec.fields:
        position = schema.get_field_index(field.name)
        if position >= 0:
            reason = misfit(schema.field(position).type, field.type)
            if reason:
                findings.append(InputFinding(code="COLUMN_TYPE", column=field.name, message=reason))
        elif field.name not in schema.names:
            findings.append(InputFinding(code="COLUMN_MISSING", column=field.name, message=_missing(field, schema.names)))
    for name in schema.names:
        if name not in spec.field_by_name and name not in system:
            findings.append(InputFinding(code="COLUMN_UNKNOWN", column=name, message="the table has no such column"))
    if findings:
        raise refuse(findings, spec)
    positions = tuple(schema.get_field_index(field.name) for field in spec.fields)
    return ColumnMatch(positions=positions, schema=file_schema(spec.fields, finest_unit=_finest_unit(schema, spec)))


def _missing(field: Field, names: list[str]) -> str:
    same = [name for name in names if name.lower() == field.name.lower()] or get_close_matches(field.name, names, 1)
    return f"the input does not have it ({field.type})" + (f"; did you mean its column {same[0]}?" if same else "")


def _finest_unit(schema: pa.Schema, spec: TableSpec) -> str:
    """Nanoseconds only where the input has them: they end in the year 2262, which INT96 does not."""
    fine = [field.name for field in spec.fields if any(is_int96(inner) for inner in walk(field.type))]
    return "ns" if any("[ns" in str(schema.field(name).type) for name in fine) else "us"


def misfit(arrow: pa.DataType, data_type: DataType) -> str | None:
    """Why values of an Arrow type cannot go to a column of a Paimon type; None when they can, if need be after a look at each value."""
    if pa.types.is_dictionary(arrow):
        return misfit(arrow.value_type, data_type)
    if pa.types.is_null(arrow):
        return None if data_type.nullable else f"only nulls were given, the table has {data_type}"
    if not _KINDS[data_type.root](arrow):
        return f"{arrow} was given, the table has {data_type}"
    inner: list[tuple[str, pa.DataType, DataType | None]] = []
    if data_type.root == "ARRAY":
        inner = [("element", arrow.value_type, data_type.element)]
    elif data_type.root in ("MAP", "MULTISET"):
        key, value = entry_types(data_type)
        inner = [("key", arrow.key_type, key), ("value", arrow.item_type, value)]
    elif data_type.root in ("ROW", "VARIANT"):
        wanted = [(field.name, field.type) for field in data_type.fields] or [(name, _BYTES) for name in ("value", "metadata")]
        given = [arrow.field(index).name for index in range(arrow.num_fields)]
        if sorted(given) != sorted(name for name, _ in wanted):
            return f"a row of fields {', '.join(given)} was given, the table has {data_type}"
        inner = [(name, arrow.field(name).type, type_) for name, type_ in wanted]
    for name, given_type, wanted_type in inner:
        assert wanted_type is not None
        reason = misfit(given_type, wanted_type)
        if reason:
            return f"in {name}, {reason}"
    return None


def _one_of(*types: pa.DataType) -> Callable[[pa.DataType], bool]:
    return lambda arrow: arrow in types


_BYTES = DataType(root="VARBINARY", length=2**31 - 1)
_INT8 = (pa.int8(),)
_INT16 = (*_INT8, pa.int16(), pa.uint8())
_INT32 = (*_INT16, pa.int32(), pa.uint16())
_STRINGS = _one_of(pa.string(), pa.large_string(), pa.string_view())


def _is_binary(arrow: pa.DataType) -> bool:
    return arrow in (pa.binary(), pa.large_binary(), pa.binary_view()) or pa.types.is_fixed_size_binary(arrow)


def _is_list(arrow: pa.DataType) -> bool:
    return any(kind(arrow) for kind in (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list))


# Widening is allowed, as it loses nothing; a narrower type is refused even if today's values would fit.
_KINDS: dict[str, Callable[[pa.DataType], bool]] = {
    "BOOLEAN": pa.types.is_boolean,
    "TINYINT": _one_of(*_INT8),
    "SMALLINT": _one_of(*_INT16),
    "INT": _one_of(*_INT32),
    "BIGINT": _one_of(*_INT32, pa.int64(), pa.uint32()),
    "FLOAT": _one_of(pa.float16(), pa.float32()),
    "DOUBLE": pa.types.is_floating,
    "DECIMAL": pa.types.is_decimal,
    "CHAR": _STRINGS,
    "VARCHAR": _STRINGS,
    "BINARY": _is_binary,
    "VARBINARY": _is_binary,
    "DATE": pa.types.is_date,
    "TIME": pa.types.is_time,
    # A wall clock and a point in time are not the same; guessing a zone between them would be wrong somewhere.
    "TIMESTAMP": lambda arrow: pa.types.is_timestamp(arrow) and arrow.tz is None,
    "TIMESTAMP_LTZ": lambda arrow: pa.types.is_timestamp(arrow) and arrow.tz is not None,
    "ARRAY": _is_list,
    "MAP": pa.types.is_map,
    "MULTISET": pa.types.is_map,
    "ROW": pa.types.is_struct,
    "VARIANT": pa.types.is_struct,
}


class ColumnConverter:
    """Turns input batches of one schema into batches of the table's logical file schema. Zero-copy where the types agree."""

    def __init__(self, match: ColumnMatch, spec: TableSpec) -> None:
        self.schema = match.schema
        self._positions = match.positions
        self._spec = spec
        self._defaults = {field.name: _default(field, spec) for field in spec.fields if field.default_value is not None}

    def convert(self, batch: pa.RecordBatch, first_row: int) -> pa.RecordBatch:
        """The batch in the table's types; ``first_row`` is its place among the writer's rows. Raises WriteError with every misfit."""
        findings: list[InputFinding] = []
        arrays = []
        for field, target, position in zip(self._spec.fields, self.schema.logical, self._positions, strict=True):
            array = batch.column(position)
            row = null_in_required(array, field.type)
            if row is not None:
                message = f"null in a column the table declares {field.type}{self._place(batch, row)}"
                findings.append(InputFinding(code="NULL_IN_REQUIRED_COLUMN", column=field.name, message=message, row=first_row + row))
                continue
            if array.type != target.type:
                array, failure = _cast(array, target.type)
                if failure is not None:
                    row, reason = failure
                    message = f"{reason}{self._place(batch, row)}"
                    findings.append(InputFinding(code="VALUE_DOES_NOT_FIT", column=field.name, message=message, row=first_row + row))
                    continue
            if field.name in self._defaults and array.null_count:
                array = pc.fill_null(array, self._defaults[field.name])
            arrays.append(array)
        if findings:
            raise refuse(findings, self._spec, where=f"row {min(finding.row or 0 for finding in findings)} of this writer's input")
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema.logical)

    def _place(self, batch: pa.RecordBatch, row: int) -> str:
        """The partition of a row, for a person who looks for it."""
        values = {key: batch.column(batch.schema.get_field_index(key))[row].as_py() for key in self._spec.partition_keys}
        return f" (partition {', '.join(f'{key}={value}' for key, value in values.items())})" if values else ""


def _cast(array: pa.Array, target: pa.DataType) -> tuple[pa.Array, tuple[int, str] | None]:
    """The array in another type, or the first row that has no place in it and the reason."""
    try:
        return array.cast(target), None
    except pa.ArrowInvalid as error:
        reason = str(error)
    # Only a failing batch comes here: halve the search until one row is left.
    low, high = 0, len(array)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            array.slice(low, middle - low).cast(target)
            low = middle
        except pa.ArrowInvalid as error:
            high, reason = middle, str(error)
    return array, (low, reason)


def _default(field: Field, spec: TableSpec) -> pa.Scalar:
    """A column's default as Paimon reads it: text cast to the column's type, quotes taken off (``DefaultValueUtils``)."""
    text = field.default_value or ""
    if len(text) > 1 and text.startswith("'") and text.endswith("'"):
        text = text[1:-1]
    target = file_schema([field]).logical.field(0).type
    try:
        return pa.scalar(text).cast(target)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise WriteError(
            f"the default {field.default_value!r} of column {field.name} ({field.type}) in {spec.name} cannot be read",
            code="DEFAULT_VALUE_UNSUPPORTED",
            remedy="fill the column's nulls before writing and drop the default, or write this table with Paimon Java.",
            details={"final": True, "column": field.name},
        ) from error
