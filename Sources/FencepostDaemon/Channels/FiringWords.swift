public import CalendarStore
import CalendarModel
public import Recurrence

/// A firing in words, for people.
public struct FiringWords: Sendable {
  private let resolver: TimeResolver

  /// Words with times in `resolver`'s floating zone.
  public init(resolver: TimeResolver) { self.resolver = resolver }

  /// What it is about, on one line.
  public func title(_ entry: LedgerEntry) -> String {
    let title = entry.context.map { $0.itemTitle.withoutControls } ?? ""
    return title.isEmpty ? "Reminder" : title
  }

  /// What the alarm has to say, what happened when and where, and the list, a line each.
  public func lines(_ entry: LedgerEntry) -> [String] {
    var lines: [String] = []
    if let message = entry.context?.message.map(\.withoutControls), !message.isEmpty, message != title(entry)
    {
      lines.append(message)
    }
    lines.append(happening(entry.firing))
    if let list = entry.context?.listTitle, !list.isEmpty { lines.append(list.withoutControls) }
    return lines
  }

  private func happening(_ firing: Firing) -> String {
    let place = (firing.crossing?.place.title).map(\.withoutControls) ?? ""
    let somewhere = place.isEmpty ? "the place" : place
    let what =
      switch firing.kind {
      case .enter: "Arrived at \(somewhere)"
      case .leave: "Left \(somewhere)"
      case .dwell: "Still at \(somewhere)"
      case .absolute, .relative: ""
      }
    var text = (what.isEmpty ? "" : what + ", ") + time(firing.time)
    if firing.isLate { text += ", late" }
    if firing.folded > 0 { text += ", with \(firing.folded) missed before it" }
    return text
  }

  /// `2026-05-02 09:31`.
  private func time(_ instant: Instant) -> String {
    let civil = resolver.floating.civil(at: instant)
    return "\(civil.day) " + civil.description.suffix(8).prefix(5)
  }
}
