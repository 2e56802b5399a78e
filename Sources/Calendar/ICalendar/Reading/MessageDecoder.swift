import FencepostCalendarModel

/// Decodes a component of an iTIP message (RFC 5546, section 3).
enum MessageDecoder {
  /// The message; `nil` with a warning if its subject is unclear. A partly read message could seem to be about
  /// something else.
  static func decode(
    _ component: RawComponent, in text: ComponentText, method: SchedulingMessage.Method,
    diagnostics: Diagnostics
  ) -> SchedulingMessage? {
    let number = text.lines[component.lines.lowerBound].number
    var message = SchedulingMessage(
      method: method, component: component.name, file: diagnostics.file, line: number, uid: "", sequence: 0,
      attendees: [])
    var values = PropertyValues()
    for index in component.properties {
      guard let line = ContentLine(text.lines[index], in: text) else { continue }
      do {
        try read(line, into: &message, &values)
      } catch {
        diagnostics.warn(
          line.number, "\(line.name) of a \(method.name): \(error.message); skipped the message")
        return nil
      }
    }
    if message.uid.isEmpty {
      diagnostics.warn(number, "skipped a \(method.name) without a UID")
      return nil
    }
    return message
  }

  private static func read(
    _ line: ContentLine, into message: inout SchedulingMessage, _ values: inout PropertyValues
  ) throws(InvalidValue) {
    switch line.property {
    case .uid where message.uid.isEmpty: message.uid = TextValue.decode(line.bytes[line.valueRange])
    case .recurrenceID where message.detachment == nil: message.detachment = try values.detachment(line)
    case .sequence: message.sequence = try values.integer(line, in: 0...Int(Int32.max))
    case .dtstamp where message.stamp == nil: message.stamp = try values.instant(line)
    case .attendee: message.attendees.append(ParticipantText.read(line))
    default: break
    }
  }
}
