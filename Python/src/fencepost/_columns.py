"""Columns in and out: lists, arrays, and what NumPy, pandas and pyarrow have."""

from __future__ import annotations

import ctypes
from array import array
from datetime import datetime, timedelta, timezone
from typing import Any, Iterable, Sequence

try:
    import numpy
except ImportError:  # Columns are then arrays of the standard library.
    numpy = None  # type: ignore[assignment]

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_NUMPY_TYPES = {"I": "uint32", "q": "int64", "d": "float64", "B": "uint8"}


def microseconds(time: Any) -> int:
    """A time as microseconds since 1970: a number of them, or a datetime, which is UTC without a zone."""
    if isinstance(time, datetime):
        if time.tzinfo is None:
            time = time.replace(tzinfo=timezone.utc)
        return (time - EPOCH) // timedelta(microseconds=1)
    return int(time)


def moment(time: int) -> datetime:
    """Microseconds since 1970 as a datetime in UTC."""
    return EPOCH + timedelta(microseconds=time)


def is_arrow(values: Any) -> bool:
    return type(values).__module__.split(".")[0] == "pyarrow"


def incoming(values: Any, code: str, name: str) -> Any:
    """Values as a buffer of one type: without a copy if they are one already."""
    if is_arrow(values):
        values = _from_arrow(values, code, name)
    elif hasattr(values, "to_numpy"):  # pandas
        if getattr(values.dtype, "tz", None) is not None:
            # With a zone they would become objects.
            values = (values.dt if hasattr(values, "dt") else values).tz_convert(None)
        values = values.to_numpy()
    if numpy is not None and isinstance(values, numpy.ndarray):
        if values.dtype.kind == "M":
            if numpy.isnat(values).any():
                raise ValueError(f"column '{name}' has rows without a value")
            values = values.astype("datetime64[us]").view("int64")
        elif values.dtype == object and code == "q":
            values = [microseconds(value) for value in values]
        return numpy.ascontiguousarray(values, dtype=_NUMPY_TYPES[code])
    if isinstance(values, array) and values.typecode == code:
        return values
    if code == "q":
        return array(code, [microseconds(value) for value in values])
    if code == "d":
        return array(code, [float("nan") if value is None else value for value in values])
    return array(code, values)


def _from_arrow(values: Any, code: str, name: str) -> Any:
    import pyarrow

    if isinstance(values, pyarrow.ChunkedArray):
        values = values.chunk(0) if values.num_chunks == 1 else values.combine_chunks()
    if pyarrow.types.is_timestamp(values.type):
        values = values.cast(pyarrow.timestamp("us")).view(pyarrow.int64())
    if code != "d" and values.null_count:
        raise ValueError(f"column '{name}' has rows without a value")
    if numpy is None:
        return values.to_pylist()
    return values.to_numpy(zero_copy_only=False)


def address(buffer: Any) -> int | None:
    """Where the values of a buffer are."""
    if numpy is not None and isinstance(buffer, numpy.ndarray):
        return buffer.ctypes.data
    return buffer.buffer_info()[0] or None


def outgoing(start: int | None, code: str, count: int) -> Any:
    """A copy of a column of the library: a NumPy array, or an array without NumPy."""
    column = array(code)
    if count and start:
        column.frombytes(ctypes.string_at(start, count * column.itemsize))
    return column if numpy is None else numpy.frombuffer(column, dtype=_NUMPY_TYPES[code])


def numbered(names: Any, known: dict[Any, int]) -> Any:
    """The numbers of devices. New names are added to `known`."""
    if is_arrow(names):
        import pyarrow

        if isinstance(names, pyarrow.ChunkedArray):
            names = names.combine_chunks()
        if isinstance(names, pyarrow.ChunkedArray):
            names = names.chunk(0) if names.num_chunks else pyarrow.array([], names.type)
        if names.null_count:
            raise ValueError("column 'device' has rows without a value")
        if not pyarrow.types.is_dictionary(names.type):
            names = names.dictionary_encode()
        return _translated(names.dictionary.to_pylist(), names.indices, known)
    if numpy is not None and (isinstance(names, numpy.ndarray) or hasattr(names, "to_numpy")):
        values = names if isinstance(names, numpy.ndarray) else names.to_numpy()
        unique, first, inverse = numpy.unique(values, return_index=True, return_inverse=True)
        # In the order in which they come, as everywhere else.
        order = numpy.argsort(first)
        rank = numpy.empty_like(order)
        rank[order] = numpy.arange(len(order))
        return _translated(unique[order].tolist(), rank[inverse.reshape(-1)], known)
    return array("I", [known.setdefault(name, len(known)) for name in names])


def _translated(names: Sequence[Any], indices: Any, known: dict[Any, int]) -> Any:
    numbers: Iterable[int] = [known.setdefault(name, len(known)) for name in names]
    if numpy is None:
        table = list(numbers)
        return array("I", [table[index] for index in indices.to_pylist()])
    if is_arrow(indices):
        indices = indices.to_numpy(zero_copy_only=False)
    return numpy.asarray(list(numbers), dtype="uint32")[indices]
