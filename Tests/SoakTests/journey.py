"""Where the pretended phone is: at home at night, at the office on weekdays, in a café at noon, in a shop after work."""

import datetime
import math
import zoneinfo

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
ORIGIN = (52.40, 13.06)
# Metres east and north of the origin. No straight way between two of them passes a third one.
PLACES = {"Home": (0, 0), "Office": (4000, 0), "Cafe": (4000, 800), "Lidl": (1500, -600)}
RADIUS = 100
# When somebody is where: the place, and the minutes of the day from and until.
WEEKDAY = [("Home", 0, 480), ("Office", 500, 720), ("Cafe", 735, 770), ("Office", 785, 1_050), ("Lidl", 1_070, 1_095), ("Home", 1_110, 1_440)]
SATURDAY = [("Home", 0, 660), ("Lidl", 680, 715), ("Home", 735, 1_440)]
SUNDAY = [("Home", 0, 1_440)]


def coordinate(name):
    return degrees(*PLACES[name])


def degrees(east, north):
    latitude = ORIGIN[0] + north / 111_250
    return latitude, ORIGIN[1] + east / (111_320 * math.cos(math.radians(ORIGIN[0])))


def moment(day, minutes):
    """The instant at which the clocks of the zone show so many minutes after midnight."""
    return (datetime.datetime.combine(day, datetime.time(), ZONE) + datetime.timedelta(minutes=minutes)).timestamp()


def legs(first, days):
    """(from, until, start, end) in metres and seconds since 1970, without gaps."""
    stays = []
    for number in range(days):
        day = first.date() + datetime.timedelta(days=number)
        plan = SUNDAY if day.weekday() == 6 else SATURDAY if day.weekday() == 5 else WEEKDAY
        stays += [(PLACES[name], moment(day, begin), moment(day, end)) for name, begin, end in plan]
    for one, next_one in zip(stays, stays[1:] + [None]):
        yield one[1], one[2], one[0], one[0]
        if next_one and next_one[1] > one[2]:
            yield one[2], next_one[1], one[0], next_one[0]


def at(leg, time):
    begin, end, start, stop = leg
    part = (time - begin) / (end - begin)
    return start[0] + (stop[0] - start[0]) * part, start[1] + (stop[1] - start[1]) * part


def positions(first, days, chance):
    """(time, latitude, longitude): each minute on the way, each five minutes at rest, some metres off."""
    for leg in legs(first, days):
        time, step = leg[0], 300 if leg[2] == leg[3] else 60
        while time < leg[1]:
            if time >= first.timestamp():
                east, north = at(leg, time)
                yield (time, *degrees(east + chance.gauss(0, 5), north + chance.gauss(0, 5)))
            time += step


def crossings(first, days, name):
    """(time, whether it arrives) of each crossing of a place's circle, to the second."""
    center, found, was = PLACES[name], [], None
    for leg in legs(first, days):
        for time in (leg[0], leg[1] - 1) if leg[2] == leg[3] else range(int(leg[0]), int(leg[1])):
            east, north = at(leg, time)
            inside = math.hypot(east - center[0], north - center[1]) <= RADIUS
            if was is not None and inside != was and time >= first.timestamp():
                found.append((time, inside))
            was = inside
    return found
