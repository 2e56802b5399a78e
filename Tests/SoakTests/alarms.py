"""The alarms of the soak: how each is made, what must be told of it, and what was told instead.

What must be told is reckoned here from days, clocks and straight ways alone, without the program.
"""

import collections
import datetime
import zoneinfo

import journey

ZONE = journey.ZONE
NEW_YORK = zoneinfo.ZoneInfo("America/New_York")
# A Sunday. The clocks of Berlin go back on the Sunday after it, those of New York a week later.
FIRST_DAY = datetime.datetime(2026, 10, 18, 6, tzinfo=ZONE)
# An arrival is dated between two positions that are some metres off.
AT_A_PLACE = 240
AT_A_TIME = 1
NAG_MOST = 12

Expected = collections.namedtuple("Expected", "time tolerance repeats")


class Plan:
    """The alarms, what is done to them, and what must be told."""

    def __init__(self, days, chance):
        self.days, self.chance = days, chance
        self.start = FIRST_DAY.timestamp()
        self.end = self.start + days * 86_400
        self.commands, self.expected, self.reactions, self.later = [], {}, {}, []
        self.answered = set()
        self.at_times()
        self.repeating()
        self.whole_days()
        self.at_places()
        self.nagging()
        self.answers()
        self.count = len(self.expected)

    # What is made.

    def reminder(self, title, *words, times, tolerance=AT_A_TIME, repeats=0):
        self.make("reminder", title, words, times, tolerance, repeats)

    def make(self, kind, title, words, times, tolerance=AT_A_TIME, repeats=0):
        self.commands.append(["add", kind, title, *words])
        self.expected[title] = [
            Expected(time, tolerance, repeats) for time in sorted(times) if self.start < time < self.end - 600]

    def local(self, day, clock="00:00", zone=ZONE):
        """The instant of a clock time on the `day`th day; the first one when the clocks go back."""
        date = FIRST_DAY.date() + datetime.timedelta(days=day)
        return datetime.datetime.combine(date, datetime.time.fromisoformat(clock), zone).timestamp()

    def written(self, time):
        return datetime.datetime.fromtimestamp(time, ZONE).strftime("%Y-%m-%d %H:%M")

    def some_time(self):
        """A minute at which no other alarm is meant to be."""
        return self.start + 3_600 + 60 * self.chance.randrange((self.days * 86_400 - 7_200) // 60)

    def at_times(self):
        for number in range(8):
            time = self.some_time()
            self.reminder(f"At {number}", "--due", self.written(time), times=[time])
        for number, (word, seconds) in enumerate([("15m", 900), ("1h", 3_600), ("2h", 7_200), ("+30m", -1_800)] * 2):
            time = self.some_time()
            self.reminder(f"Relative {number}", "--due", self.written(time), "--alarm", word, times=[time - seconds])
        # A day before is the same time on the clock.
        for number, day in enumerate((8, 9)):
            if day < self.days:
                self.reminder(
                    f"Day before {number}", "--due", self.written(self.local(day, "09:20")), "--alarm", "1d",
                    times=[self.local(day - 1, "09:20")])
        for number in range(4):
            time, due = self.some_time(), self.end + 86_400
            self.reminder(f"Absolute {number}", "--due", self.written(due), "--alarm", self.written(time), times=[time])
        time = self.some_time()
        self.make("event", "Meeting", ("--start", self.written(time), "--alarm", "10m"), [time - 600])
        time = self.some_time()
        self.reminder("Two alarms", "--due", self.written(time), "--alarm", "0m", "--alarm", "45m", times=[time, time - 2_700])
        self.reminder("Silent", "--due", self.written(self.some_time()), "--no-alarm", times=[])

    def repeating(self):
        every = range(self.days + 8)
        weekdays = [day for day in every if self.weekday(day) < 5]

        def series(title, clock, rule, days, words=(), shift=0, zone=ZONE, kind="reminder", option="--due"):
            first = next(day for day in days if self.local(day, clock, zone) > self.start)
            date = FIRST_DAY.date() + datetime.timedelta(days=first)
            self.make(
                kind, title, (option, f"{date} {clock}", "--repeat", rule, "--zone", zone.key, *words),
                [self.local(day, clock, zone) + shift for day in days if day >= first])

        series("Daily", "07:10", "daily", every)
        series("In the night", "02:30", "daily", every)
        series("Before the night", "03:15", "daily", every, ("--alarm", "30m"), -1_800)
        series("Weekdays", "08:05", "weekdays", weekdays)
        series("Twice a week", "20:20", "weekly on tuesday and friday", [day for day in every if self.weekday(day) in (1, 4)])
        third = [day for day in every if day % 3 == 1]
        series("Every three days", "12:34", "every 3 days", third)
        series("New York", "17:50", "daily", every, zone=NEW_YORK)
        series("Choir", "19:00", "weekly", [day for day in every if self.weekday(day) == 3], ("--alarm", "30m"), -1_800,
               kind="event", option="--start")
        # Hours of a rule are hours on the clock of its zone, as dateutil and libical expand it.
        self.reminder(
            "Six hours", "--due", self.written(self.local(1, "00:40")), "--repeat", "FREQ=HOURLY;INTERVAL=6",
            times=[self.local(day, f"{hour:02}:40") for day in range(1, self.days + 1) for hour in range(0, 24, 6)])
        until = self.local(4, "10:10")
        self.reminder(
            "Until", "--due", self.written(self.local(1, "10:10")), "--repeat", "FREQ=DAILY;COUNT=4",
            times=[self.local(day, "10:10") for day in range(1, 5) if self.local(day, "10:10") <= until])

    def whole_days(self):
        for number, day in enumerate((1, 3, 7)):
            self.reminder(f"Day {number}", "--due", self.date(day), times=[self.local(day, "09:00")])
        self.reminder("Each day", "--due", self.date(1), "--repeat", "daily",
                      times=[self.local(day, "09:00") for day in range(1, self.days + 1)])
        self.reminder("Eve", "--due", self.date(6), "--alarm", "1d", times=[self.local(5, "09:00")])
        self.make("event", "Holiday", ("--start", self.date(5), "--all-day", "--alarm", "6h"), [self.local(4, "18:00")])

    def at_places(self):
        def visits(name, arrives):
            return [time for time, into in journey.crossings(FIRST_DAY, self.days + 1, name) if into == arrives]

        def place(title, option, name, times, *words, **more):
            latitude, longitude = journey.coordinate(name)
            self.reminder(
                title, option, f"{latitude:.6f},{longitude:.6f}", "--place-name", name, *words, times=times,
                tolerance=AT_A_PLACE, **more)

        for name in journey.PLACES:
            place(f"Arrive {name}", "--arrive", name, visits(name, True))
            place(f"Leave {name}", "--leave", name, visits(name, False))
        place("Afternoons", "--arrive", "Office", [
            time for time in visits("Office", True) if self.clock(time) >= "12:00"], "--between", "12:00-16:00")
        place("First of the day", "--arrive", "Office", self.first_of_days(visits("Office", True)), "--times", "daily")
        place("Once", "--arrive", "Lidl", visits("Lidl", True)[:1], "--times", "once")
        place("Saturdays", "--leave", "Lidl", [
            time for time in visits("Lidl", False) if self.day_of(time).weekday() == 5], "--on", "saturday")
        place("Stay", "--arrive", "Cafe", [time + 900 for time in visits("Cafe", True)], "--dwell", "15m")
        place("Too long", "--arrive", "Lidl", [], "--dwell", "2h")
        self.visits, self.place = visits, place

    def nagging(self):
        time = self.local(1, "13:10")
        self.reminder("Nag unanswered", "--due", self.written(time), "--nag", "30m", times=[time], repeats=NAG_MOST)
        for number, day in enumerate((2, 8)):
            time = self.local(day, "21:15")
            self.reminder(f"Nag answered {number}", "--due", self.written(time), "--nag", "2h", times=[time], repeats=2)
            self.reactions[f"Nag answered {number}"] = (2, ["alarms", "ack"])
        self.place("Nag at a place", "--arrive", "Lidl", self.visits("Lidl", True), "--nag", "2h", repeats=1)
        self.reactions["Nag at a place"] = (1, ["alarms", "ack"])
        self.commands += [["lists", "add", "Medicine"], ["lists", "edit", "Medicine", "--nag", "2h"]]
        first = self.local(1, "06:20")
        self.reminder(
            "Pills", "--list", "Medicine", "--due", self.written(first), "--repeat", "daily",
            times=[self.local(day, "06:20") for day in range(1, self.days + 1)], repeats=1)
        self.reactions["Pills"] = (1, ["alarms", "ack"])

    def answers(self):
        for number, (day, until) in enumerate(((2, 4), (5, 6), (9, 10))):
            if until < self.days:
                time, again = self.local(day, "11:45"), self.local(until, "16:25")
                self.reminder(f"Snooze {number}", "--due", self.written(time), times=[time, again])
                self.reactions[f"Snooze {number}"] = (0, ["alarms", "snooze", "--until", self.written(again)])
        arrivals = self.visits("Cafe", True)[:1]
        again = self.local(3, "22:05")
        self.place("Snooze a place", "--arrive", "Cafe", arrivals + [again], "--times", "once")
        self.reactions["Snooze a place"] = (0, ["alarms", "snooze", "--until", self.written(again)])
        self.reminder(
            "Done each time", "--due", self.written(self.local(1, "18:45")), "--repeat", "daily",
            times=[self.local(day, "18:45") for day in range(1, self.days + 1)])
        self.reactions["Done each time"] = (0, ["complete"])
        for number, day in enumerate((2, 6)):
            time = self.local(day, "15:55")
            self.reminder(f"Done before {number}", "--due", self.written(time), times=[])
            self.later.append((time - 7_200, ["complete", f"Done before {number}"]))
        time = self.local(3, "04:45")
        self.reminder("Moved", "--due", self.written(self.local(2, "04:45")), times=[time])
        self.later.append((self.local(1, "22:30"), ["edit", "Moved", "--due", self.written(time)]))
        self.later.sort()

    def weekday(self, day):
        return (FIRST_DAY.date() + datetime.timedelta(days=day)).weekday()

    def date(self, day):
        return str(FIRST_DAY.date() + datetime.timedelta(days=day))

    def day_of(self, time):
        return datetime.datetime.fromtimestamp(time, ZONE).date()

    def clock(self, time):
        return datetime.datetime.fromtimestamp(time, ZONE).strftime("%H:%M")

    def first_of_days(self, times):
        found = {}
        for time in times:
            found.setdefault(self.day_of(time), time)
        return list(found.values())

    # What happens meanwhile.

    def kills(self, chance):
        """A moment of each day: every other one at the minute of an alarm."""
        moments = []
        for day in range(self.days):
            begin = self.start + day * 86_400 + 3_600
            times = [one.time for all in self.expected.values() for one in all if begin < one.time < begin + 79_200]
            moments.append(chance.choice(times) + chance.uniform(-120, 120) if day % 2 and times else chance.uniform(begin, begin + 79_200))
        return sorted(moments)

    def due_commands(self, now):
        while self.later and self.later[0][0] <= now:
            yield self.later.pop(0)

    def reaction(self, line):
        """The command that somebody gives when this is told; each firing is answered once."""
        title = line["item"]["title"]
        if title not in self.reactions or line.get("snoozed"):
            return
        after, words = self.reactions[title]
        if line.get("repeat", 0) >= after and line["id"] not in self.answered:
            self.answered.add(line["id"])
            yield [*words, title if words == ["complete"] else line["id"]]

    # What was told.

    def compare(self, received, end):
        """Lines about what is missing, doubled or wrong."""
        faults, told = [], collections.defaultdict(dict)
        for now, line in received:
            title = line["item"]["title"]
            time = datetime.datetime.fromisoformat(line["time"].replace("Z", "+00:00")).timestamp()
            repeats = told[title].setdefault((time, line["alarm"]), collections.Counter())
            repeats[line.get("repeat", 0)] += 1
            if title not in self.expected:
                faults.append(f"unknown: {title}")
        for title, expected in self.expected.items():
            left = dict(told.get(title, {}))
            for one in expected:
                near = min(left, key=lambda key: abs(key[0] - one.time), default=None)
                if near is None or abs(near[0] - one.time) > one.tolerance:
                    faults.append(f"missed: {title} at {self.written(one.time)}")
                    continue
                repeats = left.pop(near)
                is_over = one.time + 86_400 / 2 < end
                if any(count > 1 for count in repeats.values()):
                    faults.append(f"doubled: {title} at {self.written(one.time)}: {dict(repeats)}")
                wanted = set(range(one.repeats + 1))
                if is_over and set(repeats) != wanted:
                    faults.append(f"wrong repeats: {title} at {self.written(one.time)}: {sorted(repeats)}, not {sorted(wanted)}")
            # What is due at the very end may be told or not.
            faults += [f"wrong: {title} at {self.written(time)}" for time, _ in left if time < self.end - 600]
        return faults
