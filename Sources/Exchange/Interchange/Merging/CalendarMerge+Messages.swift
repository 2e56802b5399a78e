import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostRecurrence

/// Messages between calendars (iTIP, RFC 5546).
extension CalendarMerge {
  /// Applies a message to the items that it refers to.
  mutating func follow(
    _ message: SchedulingMessage, in writer: borrowing StoreWriter, _ body: (MergeChange) throws -> Void
  ) throws {
    var message = message
    if let detachment = message.detachment {
      message.detachment?.occurrence = zones.renaming(detachment.occurrence)
    }
    guard [.reply, .cancel].contains(message.method), let isEvent = message.isEvent else {
      let what = "METHOD:\(message.method.name) of a \(message.component)"
      return try refuse(
        message,
        "\(what) is not supported; only PUBLISH, REQUEST, REPLY and CANCEL of an event or reminder are", body)
    }
    let members = try copies(of: message, isEvent: isEvent, in: writer)
    let targets = try targets(of: message, among: members)
    guard !targets.isEmpty else {
      let what = members.isEmpty ? isEvent ? "event" : "reminder" : "occurrence"
      return try refuse(message, "the \(what) of this \(message.method.name) is not in the store", body)
    }
    let takesLater = message.method == .cancel && message.detachment?.andFuture == true
    for (index, target) in targets.enumerated() {
      var item = target
      let outcome: MergeOutcome
      switch message.effect(on: target, takesLater: takesLater && index == 0) {
      case .changed(let changed):
        item = changed
        if members.contains(where: { $0.id == target.id }) {
          try writer.save(item)
          self.changed.insert(item.id)
        } else {
          try add(&item, in: writer)
        }
        outcome = .updated
      case .unchanged: outcome = .unchanged
      case .older: outcome = .older
      case .refused(let reason): return try refuse(message, reason, body)
      }
      counts[outcome] += 1
      try body(MergeChange(outcome: outcome, item: item.id, title: item.title, calendar: item.calendar))
    }
  }

  private mutating func refuse(
    _ message: SchedulingMessage, _ reason: String, _ body: (MergeChange) throws -> Void
  ) throws {
    counts[.refused] += 1
    try body(
      MergeChange(
        outcome: .refused, item: message.itemID, title: "", calendar: Identifier(rawValue: ""),
        warning: "\(message.file):\(message.line): \(reason)"))
  }

  /// The items with the message's UID in one calendar: with ``Destination/move`` the target calendar,
  /// otherwise the first writable one.
  private mutating func copies(
    of message: SchedulingMessage, isEvent: Bool, in writer: borrowing StoreWriter
  ) throws -> [CalendarItem] {
    var copies: [CalendarItem] = []
    for item in try writer.reader.items(uid: message.uid) where item.isEvent == isEvent {
      guard let item = try writer.staged(item) else { continue }
      if try isWritable(item.calendar, in: writer.reader) { copies.append(item) }
    }
    var calendar = copies.first?.calendar
    if case .move = destination, !copies.isEmpty {
      let wanted = try self.calendar(forEvents: isEvent, in: writer)
      if copies.contains(where: { $0.calendar == wanted }) { calendar = wanted }
    }
    return copies.filter { $0.calendar == calendar }
  }

  /// The items that a message refers to: the named occurrence, which is created from its series if it is not
  /// detached; the item; or, to cancel it, the whole series. To cancel later occurrences too, the named one
  /// comes first, then those of them that are detached.
  private func targets(
    of message: SchedulingMessage, among members: [CalendarItem]
  ) throws -> [CalendarItem] {
    guard let detachment = message.detachment else {
      return message.method == .cancel ? members : members.filter { $0.detachment == nil }
    }
    let named =
      members.first { $0.detachment?.occurrence == detachment.occurrence }
      ?? EditableSeries(members, resolver: resolver)?.detachedItem(
        for: detachment.occurrence, newID: message.itemID)
    guard let named else { return [] }
    guard message.method == .cancel, detachment.andFuture else { return [named] }
    let first = resolver.instant(of: detachment.occurrence)
    return [named]
      + members.filter { item in
        item.id != named.id && item.detachment.map { resolver.instant(of: $0.occurrence) > first } ?? false
      }
  }
}
