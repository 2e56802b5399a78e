import CFencepostLibical
import FencepostCalendarModel
import FencepostICalendar
import FencepostTestSupport
import Foundation
import Testing

/// libical reads our output without errors, except for what it does not support.
@Suite struct OracleTests {
  @Test(arguments: UInt64(1)...15)
  func libicalReadsWhatWeWrite(seed: UInt64) throws {
    var random = RandomItem(seed: seed)
    let items = (0..<4).map { _ in random.item() }
    try check(items, "seed \(seed)")
  }

  @Test(arguments: corpus.map(\.name))
  func libicalReadsTheCorpus(name: String) throws {
    try check(try read(try #require(corpus.first { $0.name == name }).text).items, "\(name)")
  }

  /// libical reads dates and times like we do, including invalid ones.
  @Test(arguments: UInt64(1)...4)
  func libicalReadsTimesLikeUs(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    func digits(_ highest: Int, _ width: Int) -> String {
      let number = String(Int.random(in: 0...highest, using: &random))
      return String(repeating: "0", count: max(0, width - number.count)) + number
    }
    let texts = (0..<400).map { _ in
      var text = digits(9_999, 4) + digits(13, 2) + digits(32, 2)
      if Bool.random(using: &random) {
        text +=
          "T" + digits(24, 2) + digits(60, 2) + digits(61, 2) + ["", "Z"].randomElement(using: &random)!
      }
      return text
    }
    let components = texts.enumerated().map { number, text in
      "BEGIN:VTODO\nUID:\(number)\nDUE\(text.contains("T") ? "" : ";VALUE=DATE"):\(text)\nEND:VTODO\n"
    }
    let items = try read("BEGIN:VCALENDAR\n" + components.joined() + "END:VCALENDAR\n").items
    #expect(items.count == texts.count)
    for (text, item) in zip(texts, items) {
      var theirs = icaltime_from_string(text)
      if theirs.second == 60 { theirs.second = 59 }
      // It reads invalid days and hours, but can detect them.
      let isTime =
        icaltime_is_null_time(theirs) == 0 && icaltime_compare(icaltime_normalize(theirs), theirs) == 0
      #expect((item.reminder?.due != nil) == isTime, "\(text), seed \(seed)")
      guard let ours = item.reminder?.due else { continue }
      let day = CivilDay(year: Int(theirs.year), month: Int(theirs.month), day: Int(theirs.day))
      let second = Int(theirs.hour) * 3_600 + Int(theirs.minute) * 60 + Int(theirs.second)
      #expect(ours.civil == CivilDateTime(day: day, secondOfDay: second), "\(text), seed \(seed)")
    }
  }

  private func check(_ items: [CalendarItem], _ comment: Comment) throws {
    let text = ICalendarWriter().text(of: ICalendarDocument(items: items))
    let root = try #require(icalparser_parse_string(text))
    defer { icalcomponent_free(root) }
    var titles: [String] = []
    var component = icalcomponent_get_first_component(root, ICAL_ANY_COMPONENT)
    while let current = component {
      let kind = icalcomponent_isa(current)
      if kind == ICAL_VEVENT_COMPONENT || kind == ICAL_VTODO_COMPONENT {
        titles.append(icalcomponent_get_summary(current).map { String(cString: $0) } ?? "")
        #expect(errors(in: current) == [], comment)
      }
      component = icalcomponent_get_next_component(root, ICAL_ANY_COMPONENT)
    }
    // It also drops white space around a text, and treats every backslash as an escape.
    func trimmed(_ text: String) -> String {
      text.split(separator: /[\\\t]/, maxSplits: 1).first.map(String.init)?
        .trimmingCharacters(in: .whitespaces) ?? ""
    }
    #expect(titles.map(trimmed) == items.map(\.title).map(trimmed), comment)
  }

  private static let unknown = [
    "PROXIMITY", "No value for", "X-EMPTY", "RRULE", "EXRULE", "STYLED-DESCRIPTION", "STRUCTURED-DATA",
    "LINK", "CONCEPT", "REFID",
  ]

  /// libical 3 does not support RFC 9073, PROXIMITY, places without coordinates, rules of RFC 7529 and empty
  /// properties.
  private func errors(in component: OpaquePointer) -> [String] {
    var errors: [String] = []
    var property = icalcomponent_get_first_property(component, ICAL_XLICERROR_PROPERTY)
    while let current = property {
      let text = icalproperty_get_xlicerror(current).map { String(cString: $0) } ?? ""
      if !OracleTests.unknown.contains(where: text.contains) {
        errors.append(text)
      }
      property = icalcomponent_get_next_property(component, ICAL_XLICERROR_PROPERTY)
    }
    return errors
  }
}
