// iCalendar text to the model and back.
