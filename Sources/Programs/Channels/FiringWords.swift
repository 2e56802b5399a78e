import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostGeodesy
import FencepostItems
import FencepostPhrases
public import FencepostRecurrence
import FencepostReservations

/// A firing in words, for people.
public struct FiringWords: Sendable {
  let resolver: TimeResolver

  /// Words with times in `resolver`'s floating zone.
  public init(resolver: TimeResolver) { self.resolver = resolver }

  /// The subject, one line.
  public func title(_ entry: LedgerEntry) -> String {
    let title = entry.context.map { $0.itemTitle.withoutControls } ?? ""
    return title.isEmpty ? "Reminder" : title
  }

  /// The text of the alarm, the event with time and place, the item and its list, one line each.
  ///
  /// - Parameter hidesDevices: Whether to leave out which device it was.
  public func lines(_ entry: LedgerEntry, hidesDevices: Bool = false) -> [String] {
    var lines: [String] = []
    let title = title(entry)
    func add(_ text: String?, as label: String = "") {
      guard let text = text?.withoutControls, !text.isEmpty, text != title else { return }
      lines.append(label + text)
    }
    add(entry.context?.message)
    lines.append(happening(entry, hidesDevices: hidesDevices))
    if entry.firing.isTrial { lines.append("This is a trial: nobody moved.") }
    if let context = entry.context {
      let details = context.details
      if let when = when(details, isReminder: context.isReminder, at: entry.firing.time) {
        lines.append(when)
      }
      add(details.location, as: "Where: ")
      lines += FiringWords.notes(details.notes ?? "")
      add(details.url)
      add(context.listTitle)
    }
    return lines
  }

  private func happening(_ entry: LedgerEntry, hidesDevices: Bool) -> String {
    let firing = entry.firing
    var text: String
    if let snoozed = entry.context?.snoozed {
      text = happening(
        snoozed.kind, at: snoozed.time, place: snoozed.place, device: hidesDevices ? nil : snoozed.device)
      text += (text.isEmpty ? "Snoozed" : ", snoozed") + " until \(time(firing.time))"
    } else {
      text = happening(
        firing.kind, at: firing.time, place: firing.place?.title,
        device: hidesDevices || firing.isTrial ? nil : firing.crossing?.device)
      if !hidesDevices, !firing.isTrial, let distance = distance(firing) { text += ", \(distance) from it" }
    }
    if firing.isLate { text += ", late" }
    if firing.folded > 0 { text += ", with \(firing.folded) missed before it" }
    return text
  }

  /// How far the device was from the middle of the place, if that is worth saying: a place of that size does
  /// not say where one is.
  private func distance(_ firing: Firing) -> String? {
    guard let position = firing.crossing?.position, position.isValid, firing.kind != .leave,
      let middle = firing.place?.coordinate, middle.isValid
    else { return nil }
    let metres = Geodesic.distance(from: position, to: middle)
    guard metres >= Self.minimumDistance, metres < 1e6 else { return nil }
    let step = metres < 950 ? 50.0 : 100.0
    return LengthPhrase.text((metres / step).rounded() * step)
  }

  /// Metres.
  private static let minimumDistance = 175.0

  /// `Arrived at Bakery, 2026-05-02 09:31 (phone)`.
  private func happening(
    _ kind: Firing.Kind, at moment: Instant?, place: String?, device: String?
  ) -> String {
    let name = place?.withoutControls ?? ""
    let somewhere = name.isEmpty ? "the place" : name
    let what: String? =
      switch kind {
      case .enter: "Arrived at \(somewhere)"
      case .leave: "Left \(somewhere)"
      case .dwell: "Still at \(somewhere)"
      case .absolute, .relative: nil
      }
    let text = [what, moment.map(time)].compactMap { $0 }.joined(separator: ", ")
    return text + (device.map { " (\($0.withoutControls))" } ?? "")
  }

  /// `Starts 2026-05-02 10:00`, `Due 2026-05-02`; `nil` if it is the alarm's own time.
  func when(_ details: FiringDetails, isReminder: Bool, at moment: Instant) -> String? {
    guard let time = isReminder ? details.end : details.start else { return nil }
    if !time.isDate, resolver.instant(of: time) == moment { return nil }
    return (isReminder ? "Due " : "Starts ")
      + (time.isDate ? "\(time.day)" : self.time(resolver.instant(of: time)))
  }

  /// The start of the notes, one element for each line.
  private static func notes(_ text: String) -> [String] {
    let isCut = text.count > maximumNoteCharacters
    let beginning = isCut ? text.prefix(maximumNoteCharacters - 1) + "…" : text[...]
    return beginning.split(whereSeparator: \.isNewline).prefix(maximumNoteLines).map {
      String($0).withoutControls
    }
  }

  private static let maximumNoteCharacters = 600
  private static let maximumNoteLines = 12

  /// `2026-05-02 09:31`.
  func time(_ instant: Instant) -> String {
    let civil = resolver.floating.civil(at: instant)
    return "\(civil.day) \(civil.hourAndMinute)"
  }
}
