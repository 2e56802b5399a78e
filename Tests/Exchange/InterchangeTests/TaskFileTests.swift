import FencepostCalendarModel
import FencepostICalendar
import FencepostInterchange
import FencepostRecurrence
import Testing

@Suite("Tasks of other programs")
struct TaskFileTests {
  /// The items of a stream, with the lists that it names.
  private func items(_ calendar: [UInt8]) throws -> [(list: String?, item: CalendarItem)] {
    var list: String?
    var found: [(String?, CalendarItem)] = []
    let document = try ICalendarReader(calendar: .init(rawValue: "")).forEachPart(calendar) { part in
      switch part {
      case .header(let header): list = header.name
      case .item(let item): found.append((list, item))
      default: break
      }
    }
    #expect(document.warnings.isEmpty, "\(document.warnings)")
    return found
  }

  @Test("Taskwarrior's tasks become reminders in lists of their projects")
  func taskwarrior() throws {
    let export = try #require(
      TaskwarriorExport(
        Array(
          #"""
          [
          {"id":1,"description":"Call the bank; ask, politely","due":"20261201T080000Z","entry":"20261120T070000Z","modified":"20261121T070000Z","priority":"H","project":"Home.Money","status":"pending","tags":["phone","now"],"uuid":"a-1","annotations":[{"entry":"20261120T070000Z","description":"Number:\n030"}],"urgency":9},
          {"id":0,"description":"Old","end":"20261110T070000Z","entry":"20261101T070000Z","status":"completed","uuid":"a-2"},
          {"id":0,"description":"Gone","entry":"20261101T070000Z","status":"deleted","uuid":"a-3"},
          {"id":2,"description":"Water","due":"20261101T070000Z","entry":"20261101T070000Z","recur":"2w","status":"recurring","until":"20270101T000000Z","uuid":"a-4","mask":"+-"},
          {"id":3,"description":"Water","due":"20261129T070000Z","entry":"20261101T070000Z","parent":"a-4","imask":2,"recur":"2w","status":"pending","uuid":"a-5"},
          {"id":4,"description":"Later","due":"tomorrow","wait":"20261203T000000Z","entry":"20261101T070000Z","status":"waiting","uuid":"a-6"}
          ]
          """#.utf8)))
    let read = try items(export.calendar)
    #expect(read.map(\.item.title) == ["Call the bank; ask, politely", "Old", "Water", "Later"])
    #expect(read.map(\.list) == ["Home.Money", nil, nil, nil])
    let bank = read[0].item
    #expect(bank.uid == "a-1" && bank.priority == 1 && bank.categories == ["phone", "now"])
    #expect(bank.notes == "Number:\n030")
    #expect(bank.reminder?.due.map { "\($0.civil.day) \($0.civil.clock)" } == "2026-12-01 08:00:00")
    #expect(read[1].item.reminder?.isCompleted == true && read[1].item.reminder?.completed != nil)
    // The open instance says when; the template says how often.
    #expect(read[2].item.reminder?.due?.civil.day.description == "2026-11-29")
    #expect(
      read[2].item.recurrence?.rules.map(\.text) == ["FREQ=WEEKLY;UNTIL=20270101T000000Z;INTERVAL=2"])
    #expect(read[3].item.reminder?.start?.civil.day.description == "2026-12-03")
    #expect(export.warnings == ["'Later': 'tomorrow' is no time; due was left out"])
  }

  @Test(
    "Other JSON is not Taskwarrior's",
    arguments: [
      "{}", "[]", "[1]", "{\"@type\":\"Task\",\"uid\":\"a\",\"description\":\"x\"}", "",
      "{\"description\":\"x\"}",
    ])
  func notTaskwarrior(text: String) { #expect(TaskwarriorExport(Array(text.utf8)) == nil) }

  @Test("A todo.txt's lines become reminders")
  func todoText() throws {
    let file = TodoText(
      Array(
        """
        (A) 2026-11-20 Call the bank +house @phone due:2026-12-01 t:2026-11-28
        x 2026-11-21 2026-11-01 Pay rent
        Water the plants rec:+2w due:2026-12-05 pri:C

        Mail ann: 10:30 http://example.org/a:b due:2026-13-01
        Milk
        Milk
        +house
        """.utf8))
    let read = try items(file.calendar).map(\.item)
    #expect(
      read.map(\.title) == [
        "Call the bank", "Pay rent", "Water the plants",
        "Mail ann: 10:30 http://example.org/a:b due:2026-13-01", "Milk", "Milk",
      ])
    #expect(read[0].priority == 1 && read[0].categories == ["house", "@phone"])
    #expect(
      read[0].reminder?.due?.isDate == true && "\(read[0].reminder?.due?.day, default: "")" == "2026-12-01")
    #expect("\(read[0].reminder?.start?.day, default: "")" == "2026-11-28")
    #expect(read[1].reminder?.isCompleted == true)
    #expect(read[2].recurrence?.rules.map(\.text) == ["FREQ=WEEKLY;INTERVAL=2"] && read[2].priority == 9)
    #expect(Set(read.map(\.uid)).count == 6)
    #expect(
      file.warnings == [
        "line 5: 'due:2026-13-01' was not understood and stays in the title",
        "line 8: a task without words was left out",
      ])
    // A changed date leaves a task the same.
    let moved = TodoText(Array("Milk due:2026-12-24\nMilk".utf8))
    #expect(try items(moved.calendar).map(\.item.uid) == [read[4].uid, read[5].uid])
  }
}
