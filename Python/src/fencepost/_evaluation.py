from __future__ import annotations

import ctypes
from array import array
from collections.abc import Mapping as AnyMapping
from ctypes import byref, c_size_t
from datetime import datetime
from typing import Any, Dict, Hashable, Iterator, Mapping, NamedTuple, Optional, Union

from ._columns import address, incoming, microseconds, moment, numbered, numpy, outgoing
from ._fences import Fences
from ._library import FIX_COLUMNS, Fixes, Handle, Options, States, TRANSITION_COLUMNS, check, library
from ._traces import Trace

_POLICIES = {"robust": 0, "exact": 1}
_SOURCES = ("positions", "silence", "passage", "phone")
_NEVER = 2**63 - 1
_NOT_KNOWN = -(2**63)
_ADMISSIONS = {
    0: "admitted",
    1: "admitted_late",
    2: "admitted_with_held",
    16: "duplicate",
    17: "late",
    18: "bad_coordinate",
    19: "imprecise",
    20: "clock_jump",
    21: "impossible_speed",
    22: "unconfirmed",
}

States_ = Dict[Hashable, bytes]


class Transition(NamedTuple):
    """A device entered or left a fence."""

    device: Hashable
    fence: int
    kind: str
    """``enter`` or ``leave``."""
    time: datetime
    """When it crossed the boundary."""
    confirmed: datetime
    """When that was sure."""
    source: str
    """What settled it: ``positions``, ``silence``, ``passage`` or ``phone``."""
    latitude: float
    longitude: float
    is_interpolated: bool
    is_initial: bool
    is_first_look: bool
    is_late: bool


class Transitions:
    """Transitions as columns, in the order in which they were settled. Iterating yields each as a
    :class:`Transition`.

    ``columns`` has ``device`` (an index into ``devices``), ``fence``, ``kind`` (1: enter, 2: leave), ``source``,
    ``flags``, ``time``, ``confirmed`` and ``fix_time`` (microseconds since 1970), ``row`` (the fix of the batch
    that settled it, -1 for silence), ``latitude``, ``longitude`` and ``accuracy``.
    """

    def __init__(self, columns: dict[str, Any], devices: list[Hashable], fences: Fences):
        self.columns = columns
        self.devices = devices
        self.fences = fences

    def __len__(self) -> int:
        return len(self.columns["time"])

    def __iter__(self) -> Iterator[Transition]:
        names = ("device", "fence", "kind", "source", "flags", "time", "confirmed", "latitude", "longitude")
        rows = zip(*(self.columns[name].tolist() for name in names))
        for device, fence, kind, source, flags, time, confirmed, latitude, longitude in rows:
            yield Transition(
                self.devices[device],
                fence,
                "enter" if kind == 1 else "leave",
                moment(time),
                moment(confirmed),
                _SOURCES[source],
                latitude,
                longitude,
                bool(flags & 1),
                bool(flags & 2),
                bool(flags & 4),
                bool(flags & 8),
            )

    def __repr__(self) -> str:
        return f"<Transitions: {len(self)}>"

    def to_arrow(self) -> Any:
        """A pyarrow.Table: one row a transition, with the fence's name."""
        import pyarrow

        rows = list(self)
        table = {
            name: [getattr(row, name) for row in rows]
            for name in Transition._fields
            if name not in ("time", "confirmed")
        }
        arrow = pyarrow.table(table) if rows else pyarrow.table({name: pyarrow.nulls(0) for name in table})
        for name in ("time", "confirmed"):
            times = pyarrow.array(self.columns[name], pyarrow.int64()).cast(pyarrow.timestamp("us", "UTC"))
            arrow = arrow.append_column(name, times)
        return arrow.append_column(
            "name", pyarrow.array([self.fences[row.fence].name for row in rows], pyarrow.string())
        )

    def to_pandas(self) -> Any:
        """A pandas.DataFrame: one row a transition, with the fence's name."""
        import pandas

        frame = pandas.DataFrame(list(self), columns=list(Transition._fields))
        frame["name"] = [self.fences[id].name for id in frame["fence"]]
        return frame


class Evaluation(NamedTuple):
    """What a batch led to."""

    transitions: Transitions
    states: States_
    """The state of each device that was passed in or has a fix. Opaque, and the same on each machine."""
    admissions: Any
    """A code for each fix, 0 if it counted. ``admission_name`` has its name."""
    settles_at: Dict[Hashable, datetime]
    """When a device's silence would settle something, for devices that wait for that."""

    @staticmethod
    def admission_name(code: int) -> str:
        """``admitted``, or why a fix was rejected, as ``imprecise``; ``held_`` before it: set aside."""
        code = int(code)
        return ("held_" if code & 64 else "") + _ADMISSIONS.get(code & ~64, str(code))


def evaluate(
    fences: Fences,
    table: Any,
    states: Optional[Mapping[Hashable, bytes]] = None,
    policy: str = "robust",
    through: Optional[Union[datetime, int]] = None,
) -> Evaluation:
    """Evaluates fixes, those of each device in the order in which they came.

    ``table`` is a :class:`Trace`, a pyarrow.Table, a pandas.DataFrame (also of GeoPandas, whose points are then
    the positions), or a mapping of columns: ``time`` (datetimes, or microseconds since 1970), ``latitude``,
    ``longitude``, and if there are ``device``, ``accuracy``, ``speed``, ``flags``, ``verdict``.

    ``states`` are those of an earlier batch. ``through``: no fix came after those of the batch, until then.
    """
    if policy not in _POLICIES:
        raise ValueError(f"policy is '{policy}'; use {' or '.join(_POLICIES)}")
    numbers: dict[Hashable, int] = {}
    before = dict(states or {})
    for device in before:
        numbers[device] = len(numbers)
    columns = _columns(table, numbers)
    count = len(columns["time"])
    fixes = Fixes(count=count)
    for name, column in columns.items():
        if len(column) != count:
            raise ValueError(f"column '{name}' has {len(column)} rows, not {count}")
        setattr(fixes, name, address(column))
    offsets = array("q", [0])
    for device in numbers:
        offsets.append(offsets[-1] + len(before.get(device, b"")))
    packed = b"".join(before.get(device, b"") for device in numbers)
    content = ctypes.create_string_buffer(packed, max(1, len(packed)))
    old = States(len(numbers), address(offsets), ctypes.addressof(content), len(packed))
    options = Options(
        ctypes.sizeof(Options), _POLICIES[policy], _NOT_KNOWN if through is None else microseconds(through)
    )
    result = Handle(
        library.fp_result_free,
        library.fp_evaluate,
        fences._handle.pointer,
        byref(options),
        byref(old),
        byref(fixes),
    )
    devices = list(numbers)
    found = library.fp_result_transitions(result.pointer).contents
    settled = {name: outgoing(getattr(found, name), code, found.count) for name, code in TRANSITION_COLUMNS}
    settles_at = outgoing(library.fp_result_settles_at(result.pointer), "q", len(devices)).tolist()
    return Evaluation(
        Transitions(settled, devices, fences),
        _states(library.fp_result_states(result.pointer).contents, devices),
        outgoing(library.fp_result_admissions(result.pointer), "B", count),
        {device: moment(time) for device, time in zip(devices, settles_at) if time != _NEVER},
    )


def _states(states: States, devices: list[Hashable]) -> States_:
    offsets = outgoing(states.offsets, "q", states.count + 1).tolist()
    content = ctypes.string_at(states.bytes, states.length) if states.length else b""
    return {device: content[offsets[index] : offsets[index + 1]] for index, device in enumerate(devices)}


def _columns(table: Any, numbers: dict[Hashable, int]) -> dict[str, Any]:
    if isinstance(table, Trace):
        columns = {name: table.columns[name] for name, _ in FIX_COLUMNS}
        translated = [numbers.setdefault(name, len(numbers)) for name in table.devices]
        if translated != list(range(len(translated))):
            device = table.columns["device"].tolist()
            columns["device"] = incoming([translated[index] for index in device], "I", "device")
        return columns
    names = getattr(table, "column_names", None)
    if names is None:
        if not hasattr(table, "columns") and not isinstance(table, AnyMapping):
            raise TypeError(f"a table is a Trace, an Arrow table, a DataFrame or a dict of columns, not {type(table)}")
        names = list(table.columns if hasattr(table, "columns") else table)
    table_ = {name: table[name] for name in names}
    if "latitude" not in table_ and "geometry" in table_:  # GeoPandas
        table_["latitude"], table_["longitude"] = table.geometry.y, table.geometry.x
    for name in ("time", "latitude", "longitude"):
        if name not in table_:
            raise ValueError(f"the table has no column '{name}'")
    columns = {
        name: incoming(table_[name], code, name)
        for name, code in FIX_COLUMNS
        if name in table_ and name != "device"
    }
    if "device" in table_:
        columns["device"] = numbered(table_["device"], numbers)
    elif len(columns["time"]):
        number = numbers.setdefault("", len(numbers))
        if number:
            columns["device"] = incoming([number] * len(columns["time"]), "I", "device")
    return columns


class Evaluator:
    """Keeps the states of devices from batch to batch, by the names of devices.

    ``states`` can be saved and passed to another evaluator, on another machine too.
    """

    def __init__(
        self, fences: Fences, policy: str = "robust", states: Optional[Mapping[Hashable, bytes]] = None
    ):
        self.fences = fences
        self.policy = policy
        self.states: States_ = dict(states or {})

    def evaluate(self, table: Any, through: Optional[Union[datetime, int]] = None) -> Transitions:
        """Evaluates a batch. If that raises, the states are as before."""
        evaluation = evaluate(self.fences, table, self.states, self.policy, through)
        self.states = evaluation.states
        return evaluation.transitions


def migrate_state(state: bytes) -> bytes:
    """A state of an older version as one of the current version."""
    size = c_size_t(len(state) * 2 + 4_096)
    out = ctypes.create_string_buffer(size.value)
    check(library.fp_state_migrate, state, len(state), out, len(out), byref(size))
    return out.raw[: size.value]
