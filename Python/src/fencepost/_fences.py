from __future__ import annotations

import os
from ctypes import byref
from typing import Any, Iterator, NamedTuple, Optional

from ._columns import address, incoming
from ._library import Circles, Fence as _Fence, Handle, library

_EVENTS = ("any", "enter", "leave", "dwell")


class Fence(NamedTuple):
    """One of the fences."""

    id: int
    """Names it in states and transitions."""
    name: str
    """The title of its item, or the name of its Feature."""
    key: str
    """The UID of its alarm, or the id of its Feature."""
    event: str
    """What its alarm waits for: ``enter``, ``leave``, ``dwell``, or ``any`` without an alarm."""
    revision: int


class Fences:
    """Fences that never change. Threads may share them."""

    def __init__(self, handle: Handle):
        self._handle = handle
        self._members = tuple(self._read())
        self._by_id = {fence.id: fence for fence in self._members}

    def _read(self) -> Iterator[Fence]:
        fence = _Fence()
        for index in range(library.fp_fences_count(self._handle.pointer)):
            library.fp_fences_get(self._handle.pointer, index, byref(fence))
            yield Fence(
                fence.id, fence.name.decode(), fence.key.decode(), _EVENTS[fence.event], fence.revision
            )

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Fences:
        """The fences of a file: GeoJSON, or iCalendar with alarms at places."""
        with open(path, "rb") as file:
            content = file.read()
        if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
            return cls.from_geojson(content)
        return cls.from_icalendar(content)

    @classmethod
    def from_geojson(cls, content: bytes | str) -> Fences:
        """Features with a Point and a property ``radius`` (100 m without), a Polygon or a MultiPolygon."""
        content = content.encode() if isinstance(content, str) else content
        return cls(Handle(library.fp_fences_free, library.fp_fences_from_geojson, content, len(content)))

    @classmethod
    def from_icalendar(cls, content: bytes | str) -> Fences:
        """The places of alarms that go off at a place, of items that are not done."""
        content = content.encode() if isinstance(content, str) else content
        return cls(Handle(library.fp_fences_free, library.fp_fences_from_icalendar, content, len(content)))

    @classmethod
    def circles(
        cls, id: Any, latitude: Any, longitude: Any, radius: Any, revision: Optional[Any] = None
    ) -> Fences:
        """Circles as columns: lists, arrays of NumPy, or columns of pandas or pyarrow.

        States name fences by ``id``, so it must stay the same. ``revision`` is a number that rises with each
        change to the set: a device has not seen fences that are newer than its state.
        """
        columns = {
            "id": incoming(id, "q", "id"),
            "latitude": incoming(latitude, "d", "latitude"),
            "longitude": incoming(longitude, "d", "longitude"),
            "radius": incoming(radius, "d", "radius"),
        }
        if revision is not None:
            columns["revision"] = incoming(revision, "q", "revision")
        count = len(columns["id"])
        circles = Circles(count=count)
        for name, column in columns.items():
            if len(column) != count:
                raise ValueError(f"column '{name}' has {len(column)} rows, not {count}")
            setattr(circles, name, address(column))
        return cls(Handle(library.fp_fences_free, library.fp_fences_from_circles, byref(circles)))

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Fence]:
        return iter(self._members)

    def __getitem__(self, id: int) -> Fence:
        """The fence with an id."""
        return self._by_id[id]

    def __repr__(self) -> str:
        return f"<Fences: {len(self)}>"
