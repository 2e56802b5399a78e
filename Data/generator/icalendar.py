"""Content lines, durations and identifiers of RFC 5545, and the two spellings of a proximity alarm."""
import uuid
from datetime import datetime, timezone

ZONE = "Europe/Berlin"
NO_TIME = "TRIGGER;VALUE=DATE-TIME:19760401T005545Z"
"""Apple's sentinel: a proximity alarm must have a trigger and has no time."""

TIMEZONE = """BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
DTSTART:19810329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE""".split("\n")


def identifier(*words):
    """The same for the same words, for ever."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "https://zaunfurt.invalid/" + "/".join(words))).upper()


def text(value):
    """TEXT (section 3.3.11)."""
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        value = value.replace(plain, escaped)
    return value


def utc_form(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y%m%dT%H%M%SZ")


def dated(name, value, form):
    """A date property: 2026-05-02 as a date, 2026-05-02T09:30 in the zone, or floating."""
    digits = value.replace("-", "").replace(":", "")
    if "T" not in value:
        return f"{name};VALUE=DATE:{digits}"
    return f"{name}:{digits}00" if form == "floating" else f"{name};TZID={ZONE}:{digits}00"


def duration(seconds):
    """DURATION (section 3.3.6)."""
    sign, rest = ("-" if seconds < 0 else ""), abs(seconds)
    if rest and rest % 604800 == 0:
        return f"{sign}P{rest // 604800}W"
    if rest and rest % 86400 == 0:
        return f"{sign}P{rest // 86400}D"
    hours, minutes = rest // 3600, rest % 3600 // 60
    return f"{sign}PT" + (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes or not hours else "")


def folded(line):
    """At most 75 octets a line, no character cut in two (section 3.1)."""
    lines, room = [""], 75
    for character in line:
        if len((lines[-1] + character).encode()) > room:
            lines.append(" ")
        lines[-1] += character
    return "\r\n".join(lines)


def apple_location(place, address=False, quoted=False, comma=","):
    """X-APPLE-STRUCTURED-LOCATION as iOS writes it; `comma` is escaped by iOS 14."""
    latitude, longitude = place.coordinate
    title = f'"{place.name}, Zaunfurt"' if quoted else place.name
    parts = ["X-APPLE-STRUCTURED-LOCATION", "VALUE=URI"]
    if address:
        parts.append("X-ADDRESS=" + place.address.replace("\n", "\\\\n"))
    parts += [f"X-APPLE-RADIUS={place.radius}", "X-APPLE-REFERENCEFRAME=1", f"X-TITLE={title}"]
    return ";".join(parts) + f":geo:{latitude:.6f}{comma}{longitude:.6f}"


def proximity(place, event, spelling, alarm):
    """The lines of a VALARM that say where.

    `spelling` is apple, apple-address, apple-quoted, apple-14, rfc9074 or both; `event` is enter or leave.
    """
    word = {"enter": "ARRIVE", "leave": "DEPART"}[event]
    latitude, longitude = place.coordinate
    lines = []
    if spelling != "rfc9074":
        lines += [f"X-APPLE-PROXIMITY:{word}", apple_location(
            place, address=spelling == "apple-address", quoted=spelling == "apple-quoted",
            comma="\\," if spelling == "apple-14" else ","), f"X-WR-ALARMUID:{alarm}"]
    if spelling in ("rfc9074", "both"):
        lines += [f"PROXIMITY:{word}", "BEGIN:VLOCATION", f"UID:{identifier(alarm, place.name)}",
                  f"NAME:{text(place.name)}", f"URL:geo:{latitude:.6f},{longitude:.6f};u={place.radius}",
                  "END:VLOCATION"]
    return lines
