"""A flat metre grid laid on the globe, and polylines in it."""
import math

EQUATORIAL_RADIUS = 6378137.0
ECCENTRICITY_SQUARED = 0.00669437999014
"""WGS 84."""


class Frame:
    """Metres east and north of an origin, to degrees on WGS 84.

    One scale a direction, that of the origin: over the few kilometres of the town a distance of 100 m is off
    by less than 10 cm.
    """

    def __init__(self, latitude, longitude):
        self.latitude, self.longitude = latitude, longitude
        phi = math.radians(latitude)
        w = math.sqrt(1 - ECCENTRICITY_SQUARED * math.sin(phi) ** 2)
        self.metres_per_degree_east = math.radians(EQUATORIAL_RADIUS * math.cos(phi) / w)
        self.metres_per_degree_north = math.radians(EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED) / w ** 3)

    def degrees(self, point):
        """(latitude, longitude) of (x, y)."""
        return (self.latitude + point[1] / self.metres_per_degree_north,
                self.longitude + point[0] / self.metres_per_degree_east)


def distance(a, b):
    """Not math.hypot, whose last bit differs from one Python to the next."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    return math.sqrt(dx * dx + dy * dy)


def between(a, b, fraction):
    return (a[0] + (b[0] - a[0]) * fraction, a[1] + (b[1] - a[1]) * fraction)


def length(line):
    """Rounded once, by fsum: how sum() adds differs from one Python to the next."""
    return math.fsum(distance(a, b) for a, b in zip(line, line[1:]))


def without_repeats(line):
    """The line without points that stand on the one before them."""
    kept = [line[0]]
    for point in line[1:]:
        if distance(kept[-1], point) > 0.01:
            kept.append(point)
    return kept


def resampled(line, step):
    """Points along the line, `step` metres apart but for the last."""
    points, left = [line[0]], step
    for a, b in zip(line, line[1:]):
        here, span = 0.0, distance(a, b)
        while span - here >= left:
            here += left
            left = step
            points.append(between(a, b, here / span))
        left -= span - here
    if distance(points[-1], line[-1]) > 0.01:
        points.append(line[-1])
    return points


def rounded(line, times=2):
    """The line with its corners cut, ends kept (Chaikin 1974)."""
    for _ in range(times):
        cut = [line[0]]
        for a, b in zip(line, line[1:]):
            cut += [between(a, b, 0.25), between(a, b, 0.75)]
        line = cut + [line[-1]]
    return line


def beside(line, metres):
    """The line moved to its right-hand side, where people walk and drive."""
    moved = []
    for i, point in enumerate(line):
        a, b = line[max(0, i - 1)], line[min(len(line) - 1, i + 1)]
        span = distance(a, b) or 1.0
        moved.append((point[0] + (b[1] - a[1]) / span * metres, point[1] - (b[0] - a[0]) / span * metres))
    return moved


def split(line, fraction):
    """The line in two, cut after `fraction` of its length."""
    rest = length(line) * fraction
    for i, (a, b) in enumerate(zip(line, line[1:])):
        span = distance(a, b)
        if rest <= span:
            cut = between(a, b, rest / span)
            return line[:i + 1] + [cut], [cut] + line[i + 1:]
        rest -= span
    return line, [line[-1]]
