"""What Ada has to do: her reminders and events, with every kind of alarm."""
from dataclasses import dataclass, field

from . import icalendar
from .motion import local

MINUTE, HOUR, DAY = 60, 3600, 86400
STAMP = "20260501T160000Z"
"""When she exported the file: the evening before the first trace."""


@dataclass
class At:
    """A proximity alarm: enter or leave a place, in one of the spellings of icalendar.proximity."""
    place: str
    event: str
    spelling: str


@dataclass
class Before:
    """A relative alarm: so many seconds from the start, or from the end or due time."""
    seconds: int
    edge: str = "START"
    action: str = "DISPLAY"


@dataclass
class On:
    """An absolute alarm at a wall-clock time."""
    time: str
    acknowledged: str = None
    snooze_of: int = None
    """The index of the alarm that this one puts off (RFC 9074, section 5)."""


@dataclass
class Item:
    """A VTODO or a VEVENT. Times are wall-clock times in Zaunfurt.

    `occurrences` lists by hand the (start, end) of those in the first ten days of May whose alarms matter, so
    that the truth rests on no recurrence code; None: the item occurs once, at its own start and end.
    """
    title: str
    start: str = None
    end: str = None
    alarms: list = field(default_factory=list)
    event: bool = False
    form: str = "zoned"
    lines: list = field(default_factory=list)
    occurrences: list = None
    changed: list = field(default_factory=list)
    """(occurrence, start, end) of occurrences that were moved."""
    silent: str = None
    """Why none of its alarms goes off."""
    place: str = None
    """A place of the item itself, which sets off nothing."""

    @property
    def uid(self):
        return icalendar.identifier(self.title)

    def alarm_uid(self, index, moved=None):
        """`moved`: the occurrence, where the alarm is that of a moved one."""
        return icalendar.identifier(self.title, "alarm", str(index + 1), *([moved] if moved else []))


def days(first, last, start, end):
    """An occurrence on each day of May from first to last."""
    return [(f"2026-05-{d:02d}T{start}", f"2026-05-{d:02d}T{end}") for d in range(first, last + 1)]


def errands():
    """Reminders that a place sets off."""
    return [
        Item("Pick up the blood pressure tablets",
             alarms=[At("Löwen-Apotheke", "enter", "apple-address")], lines=["PRIORITY:1"]),
        Item("Return the library books", "2026-05-02T09:00", "2026-05-02T12:00",
             [At("Stadtbücherei", "enter", "rfc9074"), Before(-2 * HOUR, "END")],
             lines=["DESCRIPTION:" + icalendar.text("Three novels, one atlas; the atlas is Jonas's.")]),
        Item("Collect the brown boots", alarms=[At("Schuhmacherei Petzold", "enter", "apple")]),
        Item("Asparagus, strawberries, new potatoes", alarms=[At("Kirchplatz", "enter", "both")]),
        Item("Oat milk, cat food, bin bags, coffee for the office", alarms=[
            At("Frischmarkt", "enter", "apple-14"), At("Frischmarkt", "leave", "rfc9074")],
            lines=["DESCRIPTION:" + icalendar.text("On the way out: bottle money?")]),
        Item("Parcel from Oma: code 4711", alarms=[At("Packstation 112", "enter", "apple-quoted")]),
        Item("Water the tomatoes on the balcony", alarms=[At("Home", "enter", "apple")]),
        Item("Helmet, laptop, lunch box", alarms=[At("Home", "leave", "rfc9074")]),
        Item("Open the roof windows in the office", alarms=[At("Spinnerei 7", "enter", "apple-address")]),
        Item("Rolls for supper", alarms=[At("Spinnerei 7", "leave", "apple")]),
        Item("Is the cabin locked and the stove out?",
             alarms=[At("Cabin on the Waldsee", "leave", "both")], lines=["PRIORITY:1"]),
        Item("Write down last week's routes in the climbing log",
             alarms=[At("Kletterhalle Nord", "enter", "rfc9074")]),
        Item("Return the hammer drill", alarms=[At("Baumarkt Nordhoff", "enter", "apple")]),
        Item("Cancel the trial month at the gym", "2026-05-04T12:00", "2026-05-04T12:30",
             [Before(0), At("Home", "enter", "apple")], silent="completed",
             lines=["STATUS:COMPLETED", "COMPLETED:20260430T171203Z", "PERCENT-COMPLETE:100"]),
    ]


def chores():
    """Reminders that a time sets off."""
    return [
        Item("Blood pressure tablet", "2026-03-02T08:00", "2026-03-02T08:30", [Before(0)],
             lines=["RRULE:FREQ=DAILY"], occurrences=days(1, 10, "08:00", "08:30")),
        Item("Eye drops", "2026-04-22T21:15", "2026-04-22T21:30", [Before(0, "END", "AUDIO")],
             lines=["RRULE:FREQ=DAILY;UNTIL=20260505T191500Z"], occurrences=days(1, 5, "21:15", "21:30")),
        Item("Put the bins out", "2026-04-02T06:30", "2026-04-02T07:00", [Before(-10 * HOUR - 30 * MINUTE)],
             lines=["RRULE:FREQ=WEEKLY;BYDAY=TH", "EXDATE;TZID=Europe/Berlin:20260514T063000",
                    "RDATE;TZID=Europe/Berlin:20260515T063000"],
             occurrences=days(7, 7, "06:30", "07:00")),
        Item("Pay the rent", "2026-01-05T09:00", "2026-01-05T18:00", [Before(0), Before(-30 * MINUTE, "END")],
             lines=["RRULE:FREQ=MONTHLY;BYMONTHDAY=5"], occurrences=days(5, 5, "09:00", "18:00")),
        Item("Hours to the payroll office", "2026-01-09T15:00", "2026-01-09T16:00", [Before(-15 * MINUTE)],
             lines=["RRULE:FREQ=MONTHLY;BYDAY=2FR"], occurrences=days(8, 8, "15:00", "16:00")),
        Item("Stretch for five minutes", "2026-04-06T11:00", "2026-04-06T11:05", [Before(0)], form="floating",
             lines=["RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"], occurrences=days(4, 8, "11:00", "11:05")),
        Item("Send off the tax return", end="2026-05-31T18:00", alarms=[
            On("2026-05-01T17:00", acknowledged="2026-05-01T17:04"), On("2026-05-02T10:15", snooze_of=0)]),
        Item("Move the car: market-day parking ends", alarms=[On("2026-05-02T10:50")]),
        Item("Ring Ruth in Auckland", alarms=[On("2026-05-04T02:00")],
             lines=["DESCRIPTION:" + icalendar.text("Noon there, two in the morning here.")]),
    ]


def events():
    return [
        Item("Farmers' market", "2026-03-07T07:30", "2026-03-07T12:00", [Before(-90 * MINUTE, "END")],
             event=True, lines=["RRULE:FREQ=WEEKLY;BYDAY=SA", "LOCATION:Kirchplatz", "TRANSP:TRANSPARENT"],
             occurrences=days(2, 2, "07:30", "12:00")),
        Item("Coffee with Jonas", "2026-05-02T10:10", "2026-05-02T10:30", [Before(-20 * MINUTE)], event=True,
             lines=["LOCATION:" + icalendar.text("Café Kranich, Rosenzeile")]),
        Item("Stand-up", "2026-04-06T09:15", "2026-04-06T09:30", [Before(-5 * MINUTE)], event=True,
             lines=["RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "EXDATE;TZID=Europe/Berlin:20260506T091500"],
             occurrences=days(4, 5, "09:15", "09:30") + days(7, 8, "09:15", "09:30")),
        Item("Yoga", "2026-04-07T18:30", "2026-04-07T19:45", [Before(-30 * MINUTE)], event=True,
             lines=["RRULE:FREQ=WEEKLY;BYDAY=TU"], occurrences=[],
             changed=[("2026-05-05T18:30", "2026-05-05T19:15", "2026-05-05T20:30")]),
        Item("Mum's birthday", "1958-05-06", "1958-05-07", [Before(9 * HOUR)], event=True,
             lines=["RRULE:FREQ=YEARLY", "TRANSP:TRANSPARENT"], occurrences=[("2026-05-06", "2026-05-07")]),
        Item("Quarterly review", "2026-05-06T10:00", "2026-05-06T11:30", [Before(-30 * MINUTE)], event=True,
             lines=["STATUS:CANCELLED"], silent="cancelled"),
        Item("Dentist", "2026-05-12T15:30", "2026-05-12T16:15", [Before(-7 * DAY), Before(-DAY)], event=True,
             lines=["STATUS:CONFIRMED"]),
        Item("Climbing with Mira", "2026-05-08T18:00", "2026-05-08T20:00", [Before(-30 * MINUTE)], event=True,
             lines=["LOCATION:Kletterhalle Nord"], place="Kletterhalle Nord"),
    ]


def all_items():
    return errands() + chores() + events()


# MARK: iCalendar

def calendar_text(town, items):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Fencepost//Data generator//EN",
             "CALSCALE:GREGORIAN", "X-WR-CALNAME:Errands", "X-WR-TIMEZONE:Europe/Berlin", *icalendar.TIMEZONE]
    for item in items:
        lines += component(town, item, item.start, item.end, item.lines)
        kept = [line for line in item.lines if not line.startswith(("RRULE", "EXDATE", "RDATE"))]
        for occurrence, start, end in item.changed:
            which = icalendar.dated("RECURRENCE-ID", occurrence, item.form)
            lines += component(town, item, start, end, [which, *kept], moved=occurrence)
    return "\r\n".join(icalendar.folded(line) for line in lines + ["END:VCALENDAR"]) + "\r\n"


def component(town, item, start, end, lines, moved=None):
    """A VTODO or VEVENT. `moved`: the occurrence that it stands for."""
    kind = "VEVENT" if item.event else "VTODO"
    out = [f"BEGIN:{kind}", f"UID:{item.uid}", f"DTSTAMP:{STAMP}", "CREATED:20260427T181500Z",
           "LAST-MODIFIED:20260501T154500Z", f"SUMMARY:{icalendar.text(item.title)}"]
    if start:
        out.append(icalendar.dated("DTSTART", start, item.form))
    if end:
        out.append(icalendar.dated("DTEND" if item.event else "DUE", end, item.form))
    if item.place:
        out.append(icalendar.apple_location(town.places[item.place], address=True))
    out += lines
    for index, alarm in enumerate(item.alarms):
        uid = item.alarm_uid(index, moved)
        out += ["BEGIN:VALARM", f"UID:{uid}", *alarm_lines(town, item, alarm, uid), "END:VALARM"]
    return out + [f"END:{kind}"]


def alarm_lines(town, item, alarm, uid):
    action = getattr(alarm, "action", "DISPLAY")
    lines = [f"ACTION:{action}"]
    if action == "DISPLAY":
        lines.append(f"DESCRIPTION:{icalendar.text(item.title)}")
    if isinstance(alarm, At):
        return lines + [icalendar.NO_TIME] + icalendar.proximity(
            town.places[alarm.place], alarm.event, alarm.spelling, uid)
    if isinstance(alarm, Before):
        # START is what is meant where nothing is said (section 3.8.6.3).
        related = ";RELATED=END" if alarm.edge == "END" else ""
        return lines + [f"TRIGGER{related}:{icalendar.duration(alarm.seconds)}"]
    lines.append(f"TRIGGER;VALUE=DATE-TIME:{icalendar.utc_form(local(alarm.time))}")
    if alarm.acknowledged:
        lines.append(f"ACKNOWLEDGED:{icalendar.utc_form(local(alarm.acknowledged))}")
    if alarm.snooze_of is not None:
        lines.append(f"RELATED-TO;RELTYPE=SNOOZE:{item.alarm_uid(alarm.snooze_of)}")
    return lines
