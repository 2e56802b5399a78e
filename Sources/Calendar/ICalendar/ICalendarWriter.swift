public import FencepostCalendarModel

/// Writes the model as iCalendar (RFC 5545) with CRLF line ends, folded at 75 octets, in a stable order.
///
/// It writes proximity alarms in both Apple's and RFC 9074's form, so that all programs understand them. For
/// times in a named zone it adds the VTIMEZONE. It writes unknown content from a file unchanged.
public struct ICalendarWriter: Sendable {
  /// PRODID: the program that writes the file.
  public var productIdentifier: String

  /// A writer with `productIdentifier`.
  public init(productIdentifier: String = "-//Fencepost//Fencepost//EN") {
    self.productIdentifier = productIdentifier
  }

  /// The text of a whole file. Time zones come first.
  public func text(of document: ICalendarDocument) -> String {
    var zones = TimeZoneEncoder(definitions: document.timeZones)
    var writer = LineWriter()
    writeHead(of: document, zones: &zones, to: &writer)
    for item in document.items { zones.write(zonesOf: item, to: &writer) }
    for item in document.items { ItemEncoder.write(item, to: &writer) }
    writer.line("END:VCALENDAR")
    writeMessages(of: document, to: &writer)
    return writer.text
  }

  /// A file with the VTIMEZONE of a zone of the system alone; `nil` if the system does not know the zone.
  public func text(ofZone zone: TimeZoneID) -> String? {
    SystemTimeZone.definition(zone).map { text(of: ICalendarDocument(items: [], timeZones: [$0])) }
  }

  /// Passes the text of a file to `sink` in pieces, so that the number of items does not affect memory. A
  /// time zone comes before the first item that uses it.
  ///
  /// - Parameters:
  ///   - items: The items to write after those of `document`.
  ///   - document: The calendar's name and other properties.
  ///   - sink: Receives each piece of text. An error from it stops the writer.
  public func write(
    _ items: some Sequence<CalendarItem>, in document: ICalendarDocument = ICalendarDocument(),
    to sink: (String) throws -> Void
  ) rethrows {
    var zones = TimeZoneEncoder(definitions: document.timeZones)
    var writer = LineWriter()
    writeHead(of: document, zones: &zones, to: &writer)
    func write(_ item: CalendarItem) throws {
      zones.write(zonesOf: item, to: &writer)
      ItemEncoder.write(item, to: &writer)
      if writer.bytes.count > 1 << 16 {
        try sink(writer.text)
        writer.clear()
      }
    }
    for item in document.items { try write(item) }
    for item in items { try write(item) }
    writer.line("END:VCALENDAR")
    writeMessages(of: document, to: &writer)
    try sink(writer.text)
  }

  /// The text of the components of `items` alone, without a calendar around them and without time zones:
  /// equal for items that a file would describe in the same way.
  public func componentText(of items: [CalendarItem]) -> [UInt8] {
    var writer = LineWriter()
    for item in items { ItemEncoder.write(item, to: &writer) }
    return writer.bytes
  }

  /// Writes the messages that stand beside items, in a calendar of their own.
  private func writeMessages(of document: ICalendarDocument, to writer: inout LineWriter) {
    let messages = document.preserved.components.filter { document.holdsMessage($0) }
    guard let method = document.methodOfMessages, !messages.isEmpty else { return }
    var zones = TimeZoneEncoder(definitions: document.timeZones)
    begin(method, to: &writer)
    write(messages, zones: &zones, to: &writer)
    writer.line("END:VCALENDAR")
  }

  private func begin(_ method: String?, to writer: inout LineWriter) {
    writer.line("BEGIN:VCALENDAR")
    writer.line("VERSION:2.0")
    writer.line("PRODID:\(TextValue.encode(productIdentifier))")
    if let method { writer.line("METHOD:\(method)") }
  }

  private func write(_ components: [String], zones: inout TimeZoneEncoder, to writer: inout LineWriter) {
    for component in components where component.utf8.contains(UInt8(ascii: ";")) {
      let kept = PreservedComponent(name: "", id: "", text: component)
      for zone in kept.timeZones.sorted(by: { $0.rawValue < $1.rawValue }) { zones.write(zone, to: &writer) }
    }
    components.forEach { writer.lines($0) }
  }

  private func writeHead(
    of document: ICalendarDocument, zones: inout TimeZoneEncoder, to writer: inout LineWriter
  ) {
    begin(document.method, to: &writer)
    if let name = document.name {
      writer.line("NAME:\(TextValue.encode(name))")
      writer.line("X-WR-CALNAME:\(TextValue.encode(name))")
    }
    // Keep another program's spelling of the colour as long as the colour is the same.
    let colorName = "X-APPLE-CALENDAR-COLOR"
    var isColorWritten = false
    for line in document.preserved.properties {
      if let color = document.color, let kept = ContentLine(line) {
        if kept.name == colorName {
          if isColorWritten || Color(hexadecimal: kept.word) != color { continue }
          isColorWritten = true
        } else if kept.name == "COLOR" {
          isColorWritten = isColorWritten || Color(cssName: kept.word) == color
        }
      }
      writer.line(line)
    }
    if let color = document.color, !isColorWritten { writer.line("\(colorName):\(color.hexadecimal)") }
    for zone in document.timeZones { zones.write(zone.id, to: &writer) }
    write(document.preserved.components.filter { !document.holdsMessage($0) }, zones: &zones, to: &writer)
  }
}

extension ICalendarDocument {
  /// Whether a preserved component is a message beside items. An event or a reminder is only preserved as
  /// such, and it would be an item in the calendar of the items.
  fileprivate func holdsMessage(_ component: String) -> Bool {
    let start = component.prefix(12).uppercased()
    return methodOfMessages != nil && ["BEGIN:VEVENT", "BEGIN:VTODO"].contains { start.hasPrefix($0) }
  }
}
