"""The four traces: who went where, and what was recorded of it."""
import random
from dataclasses import dataclass

from . import formats
from .geometry import distance
from .motion import BICYCLE, CAR, TRAM, WALK, Journey, local
from .observation import Mishaps, Receiver, every, silenced, sparing


@dataclass
class Trace:
    """A recorded way, and the true one under it."""
    file: str
    device: str
    samples: list
    fixes: list
    text: str

    @property
    def first(self):
        """The time of its first fix; the 1970 one left out."""
        return min(fix.time for fix in self.fixes if fix.time > 0)

    @property
    def last(self):
        return max(fix.time for fix in self.fixes)


def errands_walk(town):
    """Saturday morning on foot. The sky is lost in the library: a new segment begins after it."""
    rng = random.Random("errands-walk")
    journey = Journey(town, rng, "2026-05-02T09:27", "Home").stay(3)
    journey.go("Löwen-Apotheke", WALK).stay(5)
    journey.go("Stadtbücherei", WALK)
    lost = journey.time + 60
    journey.stay(8)
    found = journey.time - 120
    journey.go("Café Kranich", WALK).stay(10, sky="open")
    journey.go("Kirchplatz", WALK).stay(7, sky="open")
    journey.go("Frischmarkt", WALK).stay(10)
    journey.go("Packstation 112", WALK).stay(4, sky="open")
    journey.go("Home", WALK).stay(5)
    receiver = Receiver(rng, error_per_dop=3.6, memory=45, roofed=1.7)
    fixes = every(receiver.fixes(journey.samples), rng, [1, 2, 2, 3])
    fixes = list(silenced(fixes, [(lost, found)]))
    return Trace("errands-walk.gpx", "errands-walk", journey.samples, fixes,
                 formats.gpx("Errands on foot", fixes))


def commute_week(town):
    """Monday to Thursday to work and back, by bicycle and by tram, on a phone that saves its battery."""
    rng = random.Random("commute-week")
    journey = Journey(town, rng, "2026-05-04T07:10", "Home")

    def by_tram(to):
        stops = ["Haltestelle Westend", "Haltestelle Werkzeile"]
        on, off = stops if to != "Home" and journey.place == "Home" else stops[::-1]
        journey.go(on, WALK).stay(rng.uniform(2, 4), sky="open").go(off, TRAM).go(to, WALK)

    journey.stay(until="2026-05-04T07:41").go("Spinnerei 7", BICYCLE)
    journey.stay(until="2026-05-04T16:48").go("Home", BICYCLE)
    journey.stay(until="2026-05-05T07:33")
    by_tram("Spinnerei 7")
    journey.stay(until="2026-05-05T16:37")
    by_tram("Home")
    journey.stay(until="2026-05-06T07:44").go("Spinnerei 7", BICYCLE)
    journey.stay(until="2026-05-06T12:21").go("Bäckerei Wulf", WALK).stay(9, sky="open")
    journey.go("Spinnerei 7", WALK)
    journey.stay(until="2026-05-06T17:02").go("Home", BICYCLE)
    journey.stay(until="2026-05-07T07:35")
    by_tram("Spinnerei 7")
    journey.stay(until="2026-05-07T16:31")
    by_tram("Frischmarkt")
    journey.stay(12).go("Home", WALK).stay(until="2026-05-07T19:30")
    receiver = Receiver(rng, error_per_dop=4.2, memory=60, roofed=2.0)
    fixes = list(sparing(receiver.fixes(journey.samples), journey.samples, rng,
                         moving=(15, 30), still=(8, 15), night=(25, 40)))
    return Trace("commute-week.csv", "ada-phone", journey.samples, fixes, formats.csv("ada-phone", fixes))


def noisy_phone(town):
    """Friday on an old phone in a metal case: everything goes wrong that goes wrong with phones."""
    rng = random.Random("noisy-phone")
    journey = Journey(town, rng, "2026-05-08T07:05", "Home").stay(until="2026-05-08T07:38")
    journey.go("Spinnerei 7", BICYCLE).stay(until="2026-05-08T17:12")
    journey.go("Kletterhalle Nord", BICYCLE).stay(until="2026-05-08T20:06")
    journey.go("Home", BICYCLE).stay(until="2026-05-08T21:40")
    receiver = Receiver(rng, error_per_dop=5.5, memory=50, roofed=2.2)
    fixes = sparing(receiver.fixes(journey.samples), journey.samples, rng,
                    moving=(12, 28), still=(2, 6), night=(8, 15))
    outages = [("09:20", "10:13"), ("11:31", "12:05"), ("14:02", "14:53"), ("18:25", "18:49")]
    fixes = list(silenced(fixes, [(local(f"2026-05-08T{a}"), local(f"2026-05-08T{b}")) for a, b in outages]))

    def quiet(fix):
        """Far from every boundary, in time and in metres."""
        return all(abs(distance(sample.point, place.spot) - place.radius) > 60
                   for place in town.places.values() if place.radius
                   for sample in journey.samples[::5] if abs(sample.time - fix.time) < 100)

    fences = [(place.spot, place.radius) for place in town.places.values() if place.radius]
    mishaps = Mishaps(rng, quiet, fences)
    fixes = mishaps.outliers(fixes, 4, 1500, 9000, confessed=False)
    fixes = mishaps.outliers(fixes, 4, 250, 900, confessed=True)
    fixes = mishaps.network_fixes(fixes, 24)
    fixes = mishaps.late(fixes, 2)
    fixes = mishaps.dated_1970(fixes)
    fixes = mishaps.duplicates(fixes, 12)
    return Trace("noisy-phone.csv", "old-phone", journey.samples, fixes, formats.csv("old-phone", fixes))


def receiver_log(town):
    """The drive home from the lake on Sunday night, over midnight UTC, by a receiver in the car."""
    rng = random.Random("receiver")
    journey = Journey(town, rng, "2026-05-04T01:54:10", "Cabin on the Waldsee").stay(3, sky="parked")
    journey.go("Home", CAR).stay(3.5, sky="parked")
    receiver = Receiver(rng, error_per_dop=2.4, memory=60, roofed=1.0)
    fixes = list(receiver.fixes(journey.samples))
    return Trace("receiver.nmea", "receiver", journey.samples, fixes, formats.nmea(fixes, searching=5))


def all_traces(town):
    return [errands_walk(town), receiver_log(town), commute_week(town), noisy_phone(town)]
