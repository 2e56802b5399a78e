import CLibical
import CalendarModel
import Foundation
import ICalendar
import Testing

/// libical reads what we write, without an error but for what it does not know yet.
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
    // It also drops white space around a text, and takes a backslash for an escape of whatever follows.
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

  /// libical 3 knows neither RFC 9073 nor PROXIMITY nor places without coordinates or rules of RFC 7529, and has no empty
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
