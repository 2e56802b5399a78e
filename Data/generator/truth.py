"""Which alarms ought to go off in each trace, and when, from the true path and not from what was recorded."""
import json
import math
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from .formats import rfc3339
from .geometry import distance
from .motion import SUMMER_TIME, local
from .reminders import At, Before, On


@dataclass(frozen=True)
class Firing:
    time: float
    kind: str
    title: str
    item: str
    alarm: str
    place: str = None
    floating: bool = False
    """True where the time depends on the zone of the system: floating and all-day items."""


def crossings(samples, place):
    """(time, "enter" or "leave") at each crossing of the place's circle; straight between two samples."""
    found = []
    for a, b in zip(samples, samples[1:]):
        was, now = (distance(s.point, place.spot) <= place.radius for s in (a, b))
        if was == now:
            continue
        # |a + f (b - a) - centre| = radius, solved for the f in 0...1.
        dx, dy = b.x - a.x, b.y - a.y
        ex, ey = a.x - place.spot[0], a.y - place.spot[1]
        q, h, c = dx * dx + dy * dy, dx * ex + dy * ey, ex * ex + ey * ey - place.radius ** 2
        root = math.sqrt(max(0.0, h * h - q * c))
        fraction = (-h - root) / q if now else (-h + root) / q
        found.append((a.time + min(1.0, max(0.0, fraction)) * (b.time - a.time), "enter" if now else "leave"))
    return found


def due_times(item, alarm, index):
    """(time, alarm identifier, floating) of each time at which a time-based alarm is due."""
    if isinstance(alarm, On):
        if not alarm.acknowledged or local(alarm.acknowledged) < local(alarm.time):
            yield local(alarm.time), item.alarm_uid(index), False
        return
    own = item.occurrences if item.occurrences is not None else [(item.start, item.end)]
    moved = [(start, end) for _, start, end in item.changed]
    for start, end in own + moved:
        edge = end if alarm.edge == "END" else start
        uid = component_alarm(item, index, (start, end))
        yield local(edge) + alarm.seconds, uid, item.form == "floating" or "T" not in edge


def component_alarm(item, index, span):
    """The identifier of an alarm in the component that the occurrence is written in."""
    for occurrence, start, end in item.changed:
        if (start, end) == span:
            return item.alarm_uid(index, occurrence)
    return item.alarm_uid(index)


def firings(town, items, trace):
    """All that ought to go off in a trace, in order of time."""
    crossed = {place.name: crossings(trace.samples, place) for place in town.places.values() if place.radius}
    found = []
    for item in items:
        if item.silent:
            continue
        for index, alarm in enumerate(item.alarms):
            if isinstance(alarm, At):
                found += [Firing(time, kind, item.title, item.uid, item.alarm_uid(index), alarm.place)
                          for time, kind in crossed[alarm.place] if kind == alarm.event]
                continue
            kind = "relative" if isinstance(alarm, Before) else "absolute"
            found += [Firing(time, kind, item.title, item.uid, uid, floating=floating)
                      for time, uid, floating in due_times(item, alarm, index)
                      if trace.first <= time <= trace.last]
    return sorted(found, key=lambda f: (f.time, f.title, f.kind))


def silences(town, items, traces):
    """(title, alarm identifier, why) of the alarms that must not go off in any trace."""
    found = []
    for item in items:
        for index, alarm in enumerate(item.alarms):
            why = item.silent
            if not why and isinstance(alarm, On) and alarm.acknowledged:
                why = "acknowledged"
            if not why and isinstance(alarm, At):
                place = town.places[alarm.place]
                if not any(crossings(trace.samples, place) for trace in traces):
                    nearest = min(distance(s.point, place.spot) for t in traces for s in t.samples)
                    why = f"passed {round(nearest - place.radius)} m outside its fence"
            if why:
                found.append((item.title, item.alarm_uid(index), why))
    return found


# MARK: What makes the truth plain

def check(town, items, traces):
    """Stops where a trace leaves room for doubt: a visit too short or too shallow, a fence grazed, a crossing
    that was not recorded, an alarm at a trace's very end."""
    for trace in traces:
        for place in town.places.values():
            if place.radius:
                check_visits(trace, place)
        for firing in firings(town, items, trace):
            if firing.place is None and not trace.first + 60 <= firing.time <= trace.last - 60:
                raise ValueError(f"{trace.file}: {firing.title} is due at its very end")


def check_visits(trace, place):
    def fail(time, what):
        raise ValueError(f"{trace.file}: {place.name} at {wall_clock(time)}: {what}")

    found = crossings(trace.samples, place)
    edges = [trace.samples[0].time] + [time for time, _ in found] + [trace.samples[-1].time]
    for start, end in zip(edges, edges[1:]):
        if end - start < 180:
            fail(start, "stays for less than three minutes on one side")
    good = sorted(fix.time for fix in trace.fixes if fix.accuracy < 100)
    for time, _ in found:
        before = max((t for t in good if t <= time), default=-math.inf)
        after = min((t for t in good if t > time), default=math.inf)
        if after - before > 45:
            fail(time, f"no fix for {after - before:.0f} s about the crossing")
    near = 0
    for sample in trace.samples:
        past = distance(sample.point, place.spot) - place.radius
        near = near + 1 if abs(past) < 20 else 0
        if near > 60:
            fail(sample.time, "lingers at the boundary")
        # Well away from a crossing, well away from the boundary.
        if all(abs(sample.time - time) > 100 for time, _ in found) and -25 < past < 40:
            fail(sample.time, f"{past:.0f} m outside the boundary")


# MARK: Written out

def wall_clock(time):
    return datetime.fromtimestamp(time, SUMMER_TIME).strftime("%a %-d May %H:%M:%S")


def as_json(town, items, traces):
    def told(firing):
        row = {"kind": firing.kind, "time": rfc3339(firing.time), "title": firing.title, "item": firing.item,
               "alarm": firing.alarm}
        if firing.place:
            place = town.places[firing.place]
            latitude, longitude = place.coordinate
            row["place"] = {"title": place.name, "latitude": latitude, "longitude": longitude,
                            "radius": place.radius}
        if firing.floating:
            row["floating"] = True
        return row

    document = {
        "timeZone": "Europe/Berlin",
        "reminders": "errands.ics",
        "traces": [{
            "file": trace.file, "device": trace.device, "records": len(trace.fixes),
            "start": rfc3339(trace.first), "end": rfc3339(trace.last),
            "firings": [told(firing) for firing in firings(town, items, trace)]} for trace in traces],
        "silent": [{"title": title, "alarm": alarm, "why": why}
                   for title, alarm, why in silences(town, items, traces)]}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def as_table(town, items, traces):
    """Markdown, for README.md and for eyes."""
    lines = []
    for trace in traces:
        rows = firings(town, items, trace)
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(r.kind for r in rows).items()))
        lines += [f"### {trace.file}", "",
                  f"{len(trace.fixes)} fixes, {wall_clock(trace.first)} to {wall_clock(trace.last)}; "
                  f"{len(rows)} alarms: {kinds}.", "", "| When | Kind | Alarm | Place |", "|---|---|---|---|"]
        lines += [f"| {wall_clock(r.time)} | {r.kind} | {r.title} | {r.place or ''} |" for r in rows]
        lines.append("")
    lines += ["### Never", "", "| Alarm | Why not |", "|---|---|"]
    never = Counter((title, why) for title, _, why in silences(town, items, traces))
    for (title, why), count in never.items():
        lines.append(f"| {title}{f' ({count} alarms)' if count > 1 else ''} | {why} |")
    return "\n".join(lines)
