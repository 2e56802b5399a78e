import CalendarModel

print(CivilDay(year: 2026, month: 5, day: 1))
