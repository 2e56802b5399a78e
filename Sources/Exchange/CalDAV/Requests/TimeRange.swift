public import FencepostCalendarModel
import FencepostRecurrence
import FencepostXML

/// A range of time: includes its start, excludes its end (RFC 4791, section 9.9).
public struct TimeRange: Hashable, Sendable {
  /// The start; `nil` for no limit.
  public var start: Instant?
  /// The end; `nil` for no limit.
  public var end: Instant?

  /// A range of time.
  public init(start: Instant?, end: Instant?) {
    self.start = start
    self.end = end
  }

  /// Reads the attributes of an element.
  ///
  /// - Throws: ``CalDAVSyntaxError`` if both are missing, one is not a UTC time, or the end is not after the
  ///   start.
  init(_ element: XMLElement) throws(CalDAVSyntaxError) {
    func instant(_ name: String) throws(CalDAVSyntaxError) -> Instant? {
      guard let text = element.attribute(name) else { return nil }
      guard let instant = CalendarTime(basicText: text)?.utcInstant else {
        throw CalDAVSyntaxError("'\(text.prefix(40))' is not a UTC time such as 20261231T235959Z")
      }
      return instant
    }
    start = try instant("start")
    end = try instant("end")
    guard start != nil || end != nil else { throw CalDAVSyntaxError("a time range needs a start or an end") }
    if let start, let end, end <= start { throw CalDAVSyntaxError("a time range must end after its start") }
  }

  /// An element with this range in its attributes.
  func xml(_ name: XMLName) -> XMLElement {
    var attributes: [XMLName: String] = [:]
    attributes[XMLName("start")] = start.map { CalendarTime($0).basicText }
    attributes[XMLName("end")] = end.map { CalendarTime($0).basicText }
    return XMLElement(name, attributes: attributes)
  }
}
