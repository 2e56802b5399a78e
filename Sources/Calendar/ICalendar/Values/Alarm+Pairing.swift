public import FencepostCalendarModel

extension CalendarItem {
  /// Gives the alarms of a new revision the identifiers of an earlier one, so that they keep their state: due
  /// times, devices inside a fence, past firings.
  ///
  /// An alarm with a UID keeps it. An alarm without one is identified by its position in the item, which
  /// changes when earlier alarms come and go. So it is paired first with an equal earlier alarm, then with
  /// the one at its position. Acknowledged and snoozed alarms keep that state, because a file from a program
  /// without RFC 9074 would undo it.
  ///
  /// - Parameter earlier: The earlier revision of the item.
  public mutating func keepAlarms(of earlier: CalendarItem) {
    guard !alarms.isEmpty, !earlier.alarms.isEmpty else { return }
    let paired = pairs(with: earlier)
    let snoozes = keptSnoozes(of: earlier, paired)
    var taken = Set(paired.values.map { earlier.alarms[$0].id })
    for index in alarms.indices {
      if let other = paired[index] {
        alarms[index].keep(earlier.alarms[other])
      } else {
        alarms[index].id = unused(alarms[index].id, in: taken)
        taken.insert(alarms[index].id)
      }
    }
    alarms += snoozes
  }

  /// Maps the index of each alarm to its index in `earlier`.
  private func pairs(with earlier: CalendarItem) -> [Int: Int] {
    var paired: [Int: Int] = [:]
    var isFree = [Bool](repeating: true, count: earlier.alarms.count)
    let byID = Dictionary(grouping: earlier.alarms.indices) { earlier.alarms[$0].id }
    let values = alarms.map { $0.withoutIdentity(in: self) }
    let earlierValues = earlier.alarms.map { $0.withoutIdentity(in: earlier) }
    func pair(_ index: Int, _ other: Int) {
      paired[index] = other
      isFree[other] = false
    }
    for index in alarms.indices {
      let same = byID[alarms[index].id]?.first { isFree[$0] && values[index] == earlierValues[$0] }
      if let same { pair(index, same) }
    }
    // Queues, each with its first element at the end.
    var byValue = Dictionary(grouping: earlier.alarms.indices.reversed().filter { isFree[$0] }) {
      earlierValues[$0]
    }
    for index in alarms.indices where paired[index] == nil && !hasOwnName(alarms[index]) {
      if let other = byValue[values[index]]?.popLast() { pair(index, other) }
    }
    for index in alarms.indices where paired[index] == nil {
      if let other = byID[alarms[index].id]?.first(where: { isFree[$0] }) { pair(index, other) }
    }
    // The same by e-mail, under another identifier.
    for index in alarms.indices where paired[index] == nil && alarms[index].action == .display {
      let other = earlier.alarms.indices.first {
        isFree[$0] && earlier.alarms[$0].isEmail && alarms[index].hasSameTrigger(as: earlier.alarms[$0])
      }
      if let other { pair(index, other) }
    }
    return paired
  }

  /// The snoozes of alarms that have not changed, unless another program answered them.
  private func keptSnoozes(of earlier: CalendarItem, _ paired: [Int: Int]) -> [Alarm] {
    guard earlier.alarms.contains(where: { $0.snoozeOf != nil }) else { return [] }
    let known = Set(paired.values)
    let snoozed = Set(alarms.compactMap(\.snoozeOf))
    var answerable: Set<Identifier<Alarm>> = []
    for (index, other) in paired {
      let (new, old) = (alarms[index], earlier.alarms[other])
      // A program that records acknowledgements would record snoozes too.
      let isAnswered = new.acknowledged.map { $0 >= old.acknowledged ?? .distantPast } ?? false
      if new.hasSameTrigger(as: old), !isAnswered, !snoozed.contains(new.id), !snoozed.contains(old.id) {
        answerable.insert(old.id)
      }
    }
    return earlier.alarms.indices.lazy.filter { !known.contains($0) }.map { earlier.alarms[$0] }
      .filter { !PropertyAlarms.isFromProperty($0) && $0.snoozeOf.map(answerable.contains) ?? false }
  }

  /// True if the alarm has its own identifier instead of its position.
  private func hasOwnName(_ alarm: Alarm) -> Bool {
    !alarm.id.rawValue.hasPrefix("\(Identity.item(uid: uid, occurrence: detachment?.occurrence).rawValue)#")
  }

  private func unused(_ id: Identifier<Alarm>, in taken: Set<Identifier<Alarm>>) -> Identifier<Alarm> {
    if !taken.contains(id) { return id }
    // Larger than the number of either, so that few attempts are needed.
    var number = max(alarms.count, taken.count)
    while taken.contains(Identity.alarm(number, of: self)) { number += 1 }
    return Identity.alarm(number, of: self)
  }
}

extension Alarm {
  /// The alarm without identity and acknowledgement.
  fileprivate func withoutIdentity(in item: CalendarItem) -> Alarm {
    var alarm = normalized(in: item)
    alarm.id = Identifier(rawValue: "")
    alarm.acknowledged = nil
    return alarm
  }

  /// True if both go off at the same time and place.
  fileprivate func hasSameTrigger(as other: Alarm) -> Bool {
    trigger == other.trigger && proximity == other.proximity
  }

  fileprivate var isEmail: Bool { if case .email = action { true } else { false } }

  /// Takes the identity of `earlier`. Also takes its acknowledgement, unless the trigger differs, and stays an
  /// e-mail.
  fileprivate mutating func keep(_ earlier: Alarm) {
    id = earlier.id
    guard hasSameTrigger(as: earlier) else { return }
    if earlier.isEmail, action == .display {
      // Many programs don't know e-mail alarms and write this instead. It is not the user's choice.
      action = earlier.action
      message = message ?? earlier.message
      summary = earlier.summary
      let addressees = earlier.preserved.properties.filter { $0.hasPrefix("ATTENDEE") }
      preserved.properties += addressees.filter { !preserved.properties.contains($0) }
    }
    guard let seen = earlier.acknowledged else { return }
    acknowledged = max(seen, acknowledged ?? seen)
  }
}
