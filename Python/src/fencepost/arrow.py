"""Record batches of Arrow, for engines that move columns: pyarrow is needed."""

from __future__ import annotations

import ctypes
from ctypes import byref
from datetime import datetime
from typing import Any, Optional, Tuple, Union

import pyarrow

from ._columns import microseconds
from ._evaluation import _NOT_KNOWN, _POLICIES
from ._fences import Fences
from ._library import Options, check, library


class _Schema(ctypes.Structure):
    _fields_ = [("opaque", ctypes.c_int64 * 9)]


class _Array(ctypes.Structure):
    _fields_ = [("opaque", ctypes.c_int64 * 10)]


library.fp_evaluate_arrow.restype = ctypes.c_int32
library.fp_evaluate_arrow.argtypes = [ctypes.c_void_p] * 11


class _Exported:
    """An array over the C data interface, released with this object."""

    def __init__(self, values: Any = None):
        self.schema, self.array = _Schema(), _Array()
        self._is_mine = values is not None
        if values is not None:
            values._export_to_c(*self.addresses)

    @property
    def addresses(self) -> Tuple[int, int]:
        return ctypes.addressof(self.array), ctypes.addressof(self.schema)

    def __del__(self) -> None:
        # What pyarrow exported is released by importing it again.
        if self._is_mine:
            pyarrow.Array._import_from_c(*self.addresses)


def evaluate(
    fences: Fences,
    batch: Any,
    states: Any,
    policy: str = "robust",
    through: Optional[Union[datetime, int]] = None,
) -> Tuple[Any, Any]:
    """Evaluates a pyarrow.RecordBatch. Nothing is copied on the way.

    ``batch`` has ``time`` (timestamps in microseconds), ``latitude``, ``longitude``, and if there are ``device``
    (an index into ``states``, as uint32), ``accuracy``, ``speed`` (float64), ``flags`` and ``verdict`` (uint8).
    ``states`` is an array of binary values, one for each device; empty or null for a new one.

    Returns the transitions as a RecordBatch (``kind`` 1: enter, 2: leave) and the new states as an array.
    """
    options = Options(
        ctypes.sizeof(Options), _POLICIES[policy], _NOT_KNOWN if through is None else microseconds(through)
    )
    fixes, old, transitions, new = _Exported(batch.to_struct_array()), _Exported(states), _Exported(), _Exported()
    check(
        library.fp_evaluate_arrow,
        fences._handle.pointer,
        byref(options),
        byref(fixes.schema),
        byref(fixes.array),
        byref(old.schema),
        byref(old.array),
        byref(transitions.schema),
        byref(transitions.array),
        byref(new.schema),
        byref(new.array),
    )
    return (
        pyarrow.RecordBatch._import_from_c(*transitions.addresses),
        pyarrow.Array._import_from_c(*new.addresses),
    )
