"""Where somebody truly was, once a second."""
import bisect
import math
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from .geometry import between, beside, distance, resampled, rounded, without_repeats

SUMMER_TIME = timezone(timedelta(hours=2))
"""Europe/Berlin in May, the month in which everything here happens."""


def local(text):
    """Seconds since 1970 of a wall-clock time in Zaunfurt, as in 2026-05-02T09:30."""
    return datetime.fromisoformat(text).replace(tzinfo=SUMMER_TIME).timestamp()


@dataclass(frozen=True)
class Mode:
    """How somebody travels: metres and seconds."""
    name: str
    cruise: float
    acceleration: float
    sideways: float
    """The acceleration that is borne in a bend."""
    beside: float
    """How far right of the middle of the street."""
    stop_every: tuple
    stop_for: tuple


WALK = Mode("walk", 1.38, 0.5, 0.9, 4.0, (350, 700), (8, 25))
BICYCLE = Mode("bicycle", 4.9, 0.6, 1.3, 2.5, (500, 900), (10, 30))
TRAM = Mode("tram", 11.0, 0.9, 0.8, 1.5, (430, 560), (18, 30))
CAR = Mode("car", 21.0, 1.6, 2.6, 1.8, (2200, 2600), (10, 20))


@dataclass(frozen=True)
class Sample:
    """Where somebody was at a second, and what a receiver there sees of the sky."""
    time: float
    x: float
    y: float
    speed: float
    sky: str
    """open, roofed or parked"""

    @property
    def point(self):
        return (self.x, self.y)


class Journey:
    """A true path, told stay by stay and way by way."""

    def __init__(self, town, rng, start, place):
        self.town, self.rng, self.place = town, rng, place
        self.time = local(start)
        self.here = town.places[place].spot
        self.samples = []

    def stay(self, minutes=None, until=None, sky="roofed"):
        """Potters about the place where it is, for so long or until a wall-clock time."""
        end = self.time + minutes * 60 if minutes is not None else local(until)
        if end < self.time:
            raise ValueError(f"at {self.place} later than {until}")
        spread = 0.0 if sky == "parked" else 3.0
        keep = math.exp(-1 / 90)
        dx, dy = self.here[0], self.here[1]
        spot = self.town.places[self.place].spot
        while self.time < end:
            before = (dx, dy)
            if spread:
                step = spread * math.sqrt(1 - keep * keep)
                dx = spot[0] + (dx - spot[0]) * keep + self.rng.gauss(0, step)
                dy = spot[1] + (dy - spot[1]) * keep + self.rng.gauss(0, step)
            self._add(dx, dy, 0.0 if sky == "parked" else distance(before, (dx, dy)), sky)
        self.here = (dx, dy)
        return self

    def go(self, place, mode):
        """Goes there by the shortest way, at the pace of the mode."""
        line = self.town.way(self.place, place, mode.name)
        line = beside(rounded(resampled(line, 9)), mode.beside)
        line = rounded(without_repeats([self.here, *line, self.town.places[place].spot]), 1)
        points = resampled(line, 2.0)
        clock = self._clock(points, mode)
        start, second = self.time, 1
        while second < clock[-1]:
            i = bisect.bisect_right(clock, second) - 1
            span = clock[i + 1] - clock[i]
            x, y = between(points[i], points[i + 1], (second - clock[i]) / span)
            speed = distance(points[i], points[i + 1]) / span
            self._add(x, y, speed if speed > 0.2 else 0.0, "open")
            second += 1
        self.time = start + second
        self.here, self.place = points[-1], place
        return self

    def _add(self, x, y, speed, sky):
        self.samples.append(Sample(self.time, x, y, speed, sky))
        self.time += 1

    def _clock(self, points, mode):
        """Seconds after setting out at which each point is reached: cruising, slower in bends, now and
        then a halt, and never faster or slower than the acceleration lets.

        Nobody halts on a fence, so that it is plain when it is crossed.
        """
        a, b = self.rng.uniform(0, 6), self.rng.uniform(0, 6)
        limits = []
        for i in range(len(points)):
            pace = mode.cruise * (1 + 0.06 * math.sin(i / 35 + a) + 0.04 * math.sin(i / 11 + b))
            radius = bend(points, i, 4)
            limits.append(max(0.6, min(pace, math.sqrt(mode.sideways * radius))))
        limits[0] = limits[-1] = 0.4
        halts = {}
        at = self.rng.uniform(*mode.stop_every)
        while at / 2 < len(points) - 60:
            halt, seconds = round(at / 2), self.rng.uniform(*mode.stop_for)
            if not self.town.is_at_boundary(points[halt]):
                halts[halt] = seconds
                limits[halt] = 0.3
            at += self.rng.uniform(*mode.stop_every)
        for order in (range(1, len(points)), range(len(points) - 2, -1, -1)):
            step = order.step
            for i in order:
                span = distance(points[i], points[i - step])
                limits[i] = min(limits[i], math.sqrt(limits[i - step] ** 2 + 2 * mode.acceleration * span))
        clock = [0.0]
        for i in range(1, len(points)):
            span = distance(points[i - 1], points[i])
            clock.append(clock[-1] + 2 * span / (limits[i - 1] + limits[i]) + halts.get(i, 0.0))
        return clock


def bend(points, i, reach):
    """The radius in metres of the bend at a point; huge where the way is straight."""
    a, b, c = points[max(0, i - reach)], points[i], points[min(len(points) - 1, i + reach)]
    first, second = distance(a, b), distance(b, c)
    if first == 0 or second == 0:
        return 1e6
    turn = math.atan2(c[1] - b[1], c[0] - b[0]) - math.atan2(b[1] - a[1], b[0] - a[0])
    turn = abs((turn + math.pi) % (2 * math.pi) - math.pi)
    return min(1e6, (first + second) / 2 / turn) if turn > 1e-6 else 1e6
