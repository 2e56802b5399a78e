"""Zaunfurt, an invented town on a real plain in Lower Saxony: streets, places and the ways between them."""
import heapq
import math
import random
from dataclasses import dataclass

from .geometry import Frame, distance, length, rounded, resampled, split, without_repeats

FRAME = Frame(52.4870, 10.3180)
COLUMNS = [0, 118, 247, 366, 492, 611, 742, 858, 985, 1117, 1236, 1368, 1490, 3060, 3196, 3331, 3470]
ROWS = [0, 112, 238, 352, 481, 602, 717, 842, 958]
"""Where the streets stand before the plan is bent, in metres."""

FIRST_EASTERN_COLUMN = 13
EASTERN_ROWS = range(3, 7)
COLUMN_NAMES = [
    "Zaunkönigweg", "Birkenzeile", "Kastanienallee", "Gerbergasse", "Schulzeile", "Turmgasse", "Kirchgang",
    "Marktgasse", "Lindenallee", "Färbergasse", "Gartenzeile", "Ostwall", "Ziegelweg",
    "Werkzeile", "Hallenweg", "Spulenweg", "Webereistraße"]
ROW_NAMES = [
    "Uferzeile", "Fährgasse", "Mühlenzeile", "Tuchmachergasse", "Bahnhofstraße", "Lange Gasse", "Parkzeile",
    "Rosenzeile", "Wallgraben"]
MAIN_ROW = 4
PARK = {((4, 7), (5, 7)), ((5, 7), (6, 7)), ((5, 6), (5, 7)), ((5, 7), (5, 8))}
"""Stretches that the park took the place of."""

CLOSED_TO_CARS = {"Im Stadtpark", "Treidelpfad"}
TRAM_STREETS = {"Bahnhofstraße", "Salzstraße"}
CLEARANCE = 45.0
"""How far, in metres, a way keeps from a fence that it has no business in."""


@dataclass
class Place:
    """A building: where its door meets the street, where people are in it, and how far its fence reaches."""
    name: str
    door: tuple
    spot: tuple
    radius: float = None
    address: str = None

    @property
    def coordinate(self):
        """(latitude, longitude), as a map search would give it."""
        latitude, longitude = FRAME.degrees(self.spot)
        return round(latitude, 6), round(longitude, 6)


class Town:
    def __init__(self):
        self.ways = {}
        self.places = {}
        # A seed that leaves every street standing on which there is a place.
        self._lay_grid(random.Random(1860))
        self._lay_roads()
        self._build()

    # MARK: Streets

    def _lay(self, a, b, name, points):
        self.ways.setdefault(a, {})[b] = (name, points)
        self.ways.setdefault(b, {})[a] = (name, points[::-1])

    def _lay_grid(self, rng):
        western = [(c, r) for c in range(FIRST_EASTERN_COLUMN) for r in range(len(ROWS))]
        eastern = [(c, r) for c in range(FIRST_EASTERN_COLUMN, len(COLUMNS)) for r in EASTERN_ROWS]
        corners = set(western + eastern)
        for c, r in western + eastern:
            for other, name in (((c + 1, r), self._row_name(c, r)), ((c, r + 1), COLUMN_NAMES[c])):
                across = c < FIRST_EASTERN_COLUMN <= other[0]
                if other not in corners or across or ((c, r), other) in PARK:
                    continue
                # A street plan has gaps. The outer ring and the main street have none, so all stays joined.
                inner = 0 < c < 12 and 0 < r < 8 and 0 < other[0] < 12 and 0 < other[1] < 8
                if inner and r != MAIN_ROW and c < FIRST_EASTERN_COLUMN and rng.random() < 0.10:
                    continue
                ends = [(COLUMNS[c], ROWS[r]), (COLUMNS[other[0]], ROWS[other[1]])]
                self._lay((c, r), other, name, [bent(p) for p in resampled(ends, 12)])

    @staticmethod
    def _row_name(column, row):
        if column < FIRST_EASTERN_COLUMN:
            return ROW_NAMES[row]
        return {3: "Garnweg", 4: "Salzstraße", 5: "Spindelweg", 6: "Haspelweg"}[row]

    def _lay_roads(self):
        """The park's path, the tow path, the road to the works and the road to the lake."""
        def road(a, b, name, *via):
            line = [(COLUMNS[a[0]], ROWS[a[1]]), *via, (COLUMNS[b[0]], ROWS[b[1]])]
            self._lay(a, b, name, [bent(p) for p in resampled(rounded(line, 3), 12)])

        road((4, 6), (6, 8), "Im Stadtpark", (545, 800), (640, 850))
        road((12, 4), (13, 4), "Salzstraße", (1750, 500), (2050, 640), (2450, 655), (2800, 500))
        road((12, 1), (13, 3), "Treidelpfad", (1700, 20), (2100, 130), (2550, 60), (2860, 250))
        lake = [(0, ROWS[MAIN_ROW]), (-420, 500), (-900, 330), (-1700, 420), (-2500, 960), (-3300, 1010),
                (-4100, 1500), (-5000, 1440), (-5350, 1720)]
        self._lay((0, MAIN_ROW), "lake", "Waldseestraße", [bent(p) for p in resampled(rounded(lake, 3), 12)])

    # MARK: Places

    def _build(self):
        #           name                      along                fraction  off the street  fence
        self._place("Home", (1, 6), (1, 7), 0.55, 15, 100)
        self._place("Löwen-Apotheke", (4, 5), (5, 5), 0.50, 14, 60)
        self._place("Stadtbücherei", (7, 6), (7, 7), 0.48, -38, 85)
        self._place("Café Kranich", (8, 7), (9, 7), 0.25, 8)
        self._place("Schuhmacherei Petzold", (9, 7), (10, 7), 0.35, 12, 50)
        self._place("Kirchplatz", (8, 3), (9, 3), 0.50, 24, 70)
        self._place("Frischmarkt", (5, 1), (6, 1), 0.50, 26, 80)
        self._place("Packstation 112", (1, 2), (2, 2), 0.50, 10, 50)
        self._place("Kletterhalle Nord", (11, 8), (12, 8), 0.60, -25, 120)
        self._place("Spinnerei 7", (14, 5), (14, 6), 0.60, 30, 150)
        self._place("Bäckerei Wulf", (15, 3), (16, 3), 0.40, 8)
        self._place("Haltestelle Westend", (2, 4), (3, 4), 0.50, 5)
        self._place("Haltestelle Werkzeile", (12, 4), (13, 4), 0.97, 5)
        self._place("Baumarkt Nordhoff", (12, 4), "Haltestelle Werkzeile", 0.55, -128, 70)
        self._place("Cabin on the Waldsee", (0, 4), "lake", 0.975, 30, 200)
        self.places["Home"].address = "Birkenzeile 23\n31399 Zaunfurt\nGermany"

    def _place(self, name, a, b, fraction, offset, radius=None):
        """A place beside the way from a to b: `offset` metres to its right, negative for left."""
        street, line = self.ways[a].pop(b)
        self.ways[b].pop(a)
        first, second = split(line, fraction)
        self._lay(a, name, street, first)
        self._lay(name, b, street, second)
        door, ahead = second[0], second[1]
        span = distance(door, ahead)
        east, north = (ahead[0] - door[0]) / span, (ahead[1] - door[1]) / span
        spot = (door[0] + north * offset, door[1] - east * offset)
        number = 2 * round(length(first) / 14) + 1
        self.places[name] = Place(name, door, spot, radius, f"{street} {number}\n31399 Zaunfurt\nGermany")

    def is_at_boundary(self, point):
        return any(abs(distance(point, place.spot) - place.radius) < 40
                   for place in self.places.values() if place.radius)

    # MARK: Ways

    def way(self, start, end, mode):
        """The shortest way from door to door that keeps clear of other places' fences (Dijkstra 1959).

        Cyclists go a little further for the tow path.
        """
        shut = [p for p in self.places.values() if p.radius and p.name not in (start, end)]
        best, queue = {start: (0.0, None)}, [(0.0, str(start), start)]
        while queue:
            cost, _, node = heapq.heappop(queue)
            if node == end:
                break
            if cost > best[node][0]:
                continue
            for other, (street, line) in self.ways[node].items():
                if not is_open(street, mode):
                    continue
                if any(distance(point, p.spot) < p.radius + CLEARANCE for p in shut for point in line):
                    continue
                further = cost + length(line) * (0.6 if (mode, street) == ("bicycle", "Treidelpfad") else 1.0)
                if other not in best or further < best[other][0]:
                    best[other] = (further, node)
                    heapq.heappush(queue, (further, str(other), other))
        if end not in best:
            raise ValueError(f"no way from {start} to {end} for {mode}: a fence shuts every street")
        line, node = [self.places[end].door], end
        while node != start:
            before = best[node][1]
            line = self.ways[before][node][1] + line
            node = before
        return without_repeats(line)


def is_open(street, mode):
    if mode == "tram":
        return street in TRAM_STREETS
    return mode != "car" or street not in CLOSED_TO_CARS


def bent(point):
    """The plan is drawn square and then bent, so that streets wind together as grown ones do, and turned."""
    x, y = point
    x, y = (x + 26 * math.sin(y / 250 + 0.5) + 9 * math.sin(x / 130 + y / 310),
            y + 30 * math.sin(x / 360 - 0.3) + 10 * math.sin(x / 145 + 1.0))
    turn = math.radians(9)
    x, y = x - 745, y - 480
    return (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
