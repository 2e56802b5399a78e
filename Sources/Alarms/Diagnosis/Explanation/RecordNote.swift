public import FencepostAlarmEngine
public import FencepostCalendarModel
public import FencepostJSON

/// A line of an answer to "why did this ring, or not?": what was recorded at a time.
public struct RecordNote: Hashable, Sendable {
  /// What it tells. The raw values are stable: programs read them.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The alarm went off.
    case rang
    /// The device crossed the boundary, and the alarm stayed silent.
    case silent
    /// The device crossed the boundary in a direction that the alarm does not wait for.
    case crossing
    /// The device came near.
    case near
    /// The device was inside.
    case inside
    /// A time at which the alarm was due passed.
    case missed
    /// The device sent no positions.
    case silence
    /// Positions were ignored.
    case ignored
    /// No daemon ran.
    case down
    /// Deliveries were paused.
    case paused
    /// The reminder was completed.
    case completed
  }

  /// What it tells.
  public var kind: Kind
  /// When it happened, or began.
  public var from: Instant
  /// When it ended; `nil` for a moment.
  public var until: Instant?
  /// The device by name.
  public var device: String?
  /// The name of the place.
  public var place: String?
  /// A sentence for people.
  public var text: String
  /// More sentences: what ended a doubt, and each channel's answer.
  public var details: [String] = []

  /// A note.
  public init(
    _ kind: Kind, from: Instant, until: Instant? = nil, device: String? = nil, place: String? = nil,
    _ text: String, details: [String] = []
  ) {
    self.kind = kind
    self.from = from
    self.until = until
    self.device = device
    self.place = place
    self.text = text
    self.details = details
  }

  /// The note as JSON, with times as firings have them.
  public func json(_ lines: FiringJSON) -> JSONLine {
    var line = JSONLine()
    line.add("kind", kind.rawValue)
    line.add("from", lines.text(from))
    line.add("until", until.map { lines.text($0) })
    line.add("device", device)
    line.add("place", place)
    line.add("text", text)
    line.add("details", details)
    return line
  }
}
