import FencepostCalendarModel
import FencepostICalendar
import FencepostRecurrence

/// The effect of a message on its item (RFC 5546, section 3), without side effects.
extension SchedulingMessage {
  enum Effect {
    case changed(CalendarItem)
    case unchanged
    /// The message refers to an earlier revision, or a later message was already applied.
    case older
    case refused(String)
  }

  /// The result for `item`.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - base: The item as it last came from elsewhere, if it was changed here since: an answer to an alarm
  ///     makes no message older.
  ///   - takesLater: True if `item` is an occurrence that represents all later ones too.
  func effect(on item: CalendarItem, since base: CalendarItem?, takesLater: Bool = false) -> Effect {
    switch method {
    case .reply: return reply(to: item)
    case .cancel: return cancel(item, since: base ?? item, takesLater: takesLater)
    case .counter: return counter(item)
    // They ask something of a person, and change nothing.
    case .declineCounter, .refresh: return .unchanged
    case .add, .other: return .refused("METHOD:\(method.name) is not supported")
    }
  }

  // MARK: COUNTER

  /// Section 3.2.7: what an attendee proposes becomes a new revision of the organizer's event: its times, place
  /// and title.
  private func counter(_ event: CalendarItem) -> Effect {
    guard sequence >= event.sequence else { return .older }
    guard let proposal = item else { return .refused("a COUNTER without a time proposes nothing") }
    var changed = event
    if let details = proposal.event {
      changed.event?.start = details.start
      changed.event?.end = details.end
    }
    if let details = proposal.reminder {
      if details.start != nil { changed.reminder?.start = details.start }
      if details.due != nil { changed.reminder?.due = details.due }
    }
    changed.timeZone = proposal.timeZone ?? changed.timeZone
    if let location = proposal.location { changed.location = location }
    if !proposal.title.isEmpty { changed.title = proposal.title }
    if changed.isEquivalent(to: event) { return .unchanged }
    if changed.start != event.start || changed.event?.end != event.event?.end {
      // All are asked again, but who proposed it comes.
      for index in changed.attendees.indices where changed.attendees[index].status != .delegated {
        let isProposer = attendees.contains { changed.attendees[index].isSame(as: $0.url) }
        let isOrganizer = event.organizer.map { changed.attendees[index].isSame(as: $0.url) } ?? false
        if isProposer { changed.attendees[index].status = .accepted }
        if !isProposer, !isOrganizer { changed.attendees[index].status = .pending }
      }
    }
    changed.sequence = event.sequence + 1
    changed.lastModified = stamp.map { max($0, event.lastModified ?? $0) } ?? event.lastModified
    return .changed(changed)
  }

  // MARK: REPLY

  /// Section 3.2.3: a reply only sets the status of its attendee. DTSTAMP orders the replies of one attendee
  /// (section 2.1.5) and is kept with the attendee.
  private func reply(to item: CalendarItem) -> Effect {
    guard sequence >= item.sequence else { return .older }
    guard let reply = attendees.first, attendees.count == 1 else {
      return .refused("a REPLY must have one attendee, but this one has \(attendees.count)")
    }
    var changed = item
    let known = item.attendees.firstIndex { $0.isSame(as: reply.url) }
    if let known, let last = item.attendees[known].replied, let stamp, stamp < last { return .older }
    if known == nil {
      let isDelegate = reply.parameters(named: "DELEGATED-FROM").contains { url in
        item.attendees.contains { $0.isSame(as: url) }
      }
      guard isDelegate else { return .refused("'\(reply.url.prefix(80))' replies but is not invited") }
      changed.attendees.append(reply)
    }
    let index = known ?? changed.attendees.count - 1
    changed.attendees[index].status = reply.status
    for name in ["DELEGATED-TO", "DELEGATED-FROM"] where !reply.parameters(named: name).isEmpty {
      changed.attendees[index].copy(name, from: reply)
    }
    if let stamp { changed.attendees[index].replied = stamp }
    return changed.isEquivalent(to: item) ? .unchanged : .changed(changed)
  }

  // MARK: CANCEL

  /// Section 3.2.5.
  private func cancel(_ item: CalendarItem, since base: CalendarItem, takesLater: Bool) -> Effect {
    if sequence < base.sequence { return .older }
    if sequence == base.sequence,
      [base.revised, base.stamped].contains(where: { last in
        last.map { (stamp ?? .epoch).wholeSeconds < $0.wholeSeconds } ?? false
      })
    {
      return .older
    }
    var changed = item
    changed.event?.status = .cancelled
    changed.reminder?.isCancelled = true
    if takesLater { changed.detachment?.andFuture = true }
    changed.sequence = max(sequence, item.sequence)
    if changed.isEquivalent(to: item) { return .unchanged }
    if let stamp { changed.lastModified = max(stamp, item.lastModified ?? stamp) }
    return .changed(changed)
  }
}

extension CalendarItem {
  /// Keeps replies to `earlier` that came after this revision: a file from before a reply must not undo it. A
  /// greater SEQUENCE asks all attendees again.
  mutating func keepReplies(of earlier: CalendarItem) {
    guard sequence == earlier.sequence else { return }
    for known in earlier.attendees {
      guard let replied = known.replied, replied > revised ?? .epoch,
        let index = attendees.firstIndex(where: { $0.isSame(as: known.url) }),
        attendees[index].replied.map({ $0 < replied }) ?? true
      else { continue }
      attendees[index].status = known.status
      attendees[index].replied = replied
      for name in ["DELEGATED-TO", "DELEGATED-FROM"] { attendees[index].copy(name, from: known) }
    }
  }
}

extension Participant {
  /// The time of the reply behind ``status``, if there was one: X-FENCEPOST-REPLIED.
  var replied: Instant? {
    get {
      parameters(named: Self.repliedName).first.flatMap { text in
        guard case .utc(let civil) = CalendarTime(basicText: text) else { return nil }
        return Instant(seconds: civil.secondsSinceEpoch)
      }
    }
    set {
      preservedParameters.removeAll { $0.hasPrefix("\(Self.repliedName)=") }
      if let newValue {
        preservedParameters.append("\(Self.repliedName)=\(CalendarTime(newValue).basicText)")
      }
    }
  }

  private static let repliedName = "X-FENCEPOST-REPLIED"

  /// The values of a parameter without a field in the model.
  fileprivate func parameters(named name: String) -> [String] {
    preservedParameters.filter { $0.hasPrefix("\(name)=") }.flatMap { parameter in
      parameter.dropFirst(name.count + 1).split(separator: ",").map { $0.filter { $0 != "\"" } }
    }
  }

  fileprivate mutating func copy(_ name: String, from other: Participant) {
    let values = other.preservedParameters.filter { $0.hasPrefix("\(name)=") }
    if values.isEmpty { return }
    preservedParameters.removeAll { $0.hasPrefix("\(name)=") }
    preservedParameters += values
  }
}
