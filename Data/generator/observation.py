"""What a receiver reports of a true path: its noise, its rhythm and its lapses."""
import math
from dataclasses import dataclass, replace

from .geometry import distance


@dataclass(frozen=True)
class Fix:
    """One report. Metres, seconds; `dop` is the horizontal dilution of precision."""
    time: float
    x: float
    y: float
    accuracy: float
    speed: float
    dop: float
    course: float = 0.0
    starts_segment: bool = False

    @property
    def point(self):
        return (self.x, self.y)


class Receiver:
    """An error that wanders (Gauss-Markov), larger under a roof, and an accuracy that is about right."""

    def __init__(self, rng, error_per_dop, memory, roofed):
        self.rng, self.error_per_dop, self.memory, self.roofed = rng, error_per_dop, memory, roofed
        self.east = self.north = 0.0
        self.sky = rng.uniform(0, 6)

    def fixes(self, samples):
        """A fix for every sample: the error goes on wandering between those that are reported."""
        keep = math.exp(-1 / self.memory)
        before = None
        for sample in samples:
            dop = 1.15 + 0.3 * math.sin(sample.time / 700 + self.sky) + 0.1 * math.sin(sample.time / 47)
            dop *= self.roofed if sample.sky == "roofed" else 1.0
            step = self.error_per_dop * dop * math.sqrt(1 - keep * keep)
            self.east = keep * self.east + self.rng.gauss(0, step)
            self.north = keep * self.north + self.rng.gauss(0, step)
            course = 0.0
            if before is not None and distance(before.point, sample.point) > 0.3:
                course = math.degrees(math.atan2(sample.x - before.x, sample.y - before.y)) % 360
            speed = max(0.0, sample.speed + self.rng.gauss(0, 0.12)) if sample.speed > 0.4 else 0.0
            # The error of both axes together, 68 %: 1.5 times that of one.
            accuracy = max(3.0, 1.5 * self.error_per_dop * dop * math.exp(self.rng.gauss(0, 0.15)))
            yield Fix(sample.time, sample.x + self.east, sample.y + self.north, accuracy, speed, dop, course)
            before = sample


def every(fixes, rng, seconds):
    """One fix each so many seconds, drawn from a list of choices."""
    due = None
    for fix in fixes:
        if due is None or fix.time >= due:
            due = fix.time + rng.choice(seconds)
            yield fix


def sparing(fixes, samples, rng, moving, still, night):
    """A phone that saves its battery: often on the way and for three minutes after it, seldom while still.

    `moving` in seconds, `still` and `night` in minutes, each a range.
    """
    due, last_moved, was_moving = None, -math.inf, False
    for fix, sample in zip(fixes, samples):
        is_moving = sample.sky == "open"
        if is_moving and not was_moving and due is not None:
            due = min(due, fix.time + rng.uniform(8, 16))
        if is_moving:
            last_moved = fix.time
        was_moving = is_moving
        if due is not None and fix.time < due:
            continue
        awake = fix.time - last_moved < 180
        hour = (fix.time / 3600 + 2) % 24
        minutes = night if hour < 6.5 or hour > 22.5 else still
        due = fix.time + (rng.uniform(*moving) if awake else 60 * rng.uniform(*minutes))
        yield replace(fix, time=fix.time + round(rng.uniform(0, 0.9), 3) if awake else fix.time)


def silenced(fixes, windows):
    """Without what falls into a window of time; with `starts_segment` on the first fix after each."""
    silent = False
    for fix in fixes:
        if any(start <= fix.time < end for start, end in windows):
            silent = True
            continue
        yield replace(fix, starts_segment=True) if silent else fix
        silent = False


class Mishaps:
    """What goes wrong with a phone's fixes, each sort as often as told, where it tells nothing of a place.

    `quiet(fix)` says that no boundary is crossed within minutes of a fix; `fences` are (point, radius).
    """

    def __init__(self, rng, quiet, fences):
        self.rng, self.quiet, self.fences = rng, quiet, fences

    def _somewhere(self, fix, near, far):
        """A point so far from where the fix is that lies in no fence."""
        while True:
            span, angle = self.rng.uniform(near, far), self.rng.uniform(0, 2 * math.pi)
            point = (fix.x + span * math.cos(angle), fix.y + span * math.sin(angle))
            if all(distance(point, centre) > radius + 200 for centre, radius in self.fences):
                return point, span

    def network_fixes(self, fixes, count):
        """A fix from radio masts beside the good one: kilometres out, and saying so."""
        chosen = set(self.rng.sample(range(1, len(fixes) - 1), count))
        out = []
        for i, fix in enumerate(fixes):
            out.append(fix)
            if i in chosen and fixes[i + 1].time - fix.time > 6:
                (x, y), span = self._somewhere(fix, 500, 1600)
                accuracy = max(1000.0, span * self.rng.uniform(1.0, 1.5))
                out.append(replace(fix, time=fix.time + 4, x=x, y=y, accuracy=accuracy, speed=-1.0))
        return out

    def outliers(self, fixes, count, near, far, confessed):
        """A fix in quite the wrong place, which owns up to it or claims to be as good as its neighbours.

        Only where fixes are close in time, so that nobody can have gone there and back.
        """
        able = [i for i in range(1, len(fixes) - 1)
                if fixes[i + 1].time - fixes[i - 1].time < 75 and self.quiet(fixes[i])
                and max(f.accuracy for f in fixes[i - 1:i + 2]) < 100]
        for i in self.rng.sample(able, count):
            (x, y), span = self._somewhere(fixes[i], near, far)
            accuracy = span * self.rng.uniform(0.9, 1.3) if confessed else fixes[i].accuracy
            fixes[i] = replace(fixes[i], x=x, y=y, accuracy=accuracy)
        return fixes

    def duplicates(self, fixes, count):
        chosen = set(self.rng.sample(range(len(fixes)), count))
        return [fix for i, fix in enumerate(fixes) for fix in [fix] * (2 if i in chosen else 1)]

    def late(self, fixes, count):
        """A fix that is delivered after three to five others that were taken after it."""
        able = [i for i in range(1, len(fixes) - 8)
                if self.quiet(fixes[i]) and fixes[i + 5].time - fixes[i].time < 300]
        for i in sorted(self.rng.sample(able, count), reverse=True):
            fixes.insert(i + self.rng.randint(3, 5), fixes.pop(i))
        return fixes

    def dated_1970(self, fixes):
        """One fix of a phone that has lost its clock for a moment."""
        able = [i for i in range(20, len(fixes) - 20) if self.quiet(fixes[i])]
        i = self.rng.choice(able)
        fixes[i] = replace(fixes[i], time=0.0)
        return fixes
