public import CalendarModel

extension CalendarItem {
  /// Gives the alarms of a newer revision the identifiers that they had in an earlier one, so that what is known of
  /// them (due times, who is inside a fence, what went off) stays theirs.
  ///
  /// An alarm that says its UID keeps it. One that says none is known by its place in the item, which changes as
  /// alarms come and go before it: it is paired with the earlier alarm that is the same, and only then with the one
  /// in its place. What was acknowledged or put off stays so, as a file from a program that knows nothing of that
  /// (RFC 9074) would take it back.
  ///
  /// - Parameter earlier: The item as it was.
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

  /// Which alarm, by its place, was which in `earlier`.
  private func pairs(with earlier: CalendarItem) -> [Int: Int] {
    var paired: [Int: Int] = [:]
    var isFree = [Bool](repeating: true, count: earlier.alarms.count)
    let byID = Dictionary(grouping: earlier.alarms.indices) { earlier.alarms[$0].id }
    let told = alarms.map { $0.identityless(of: self) }
    let toldEarlier = earlier.alarms.map { $0.identityless(of: earlier) }
    func pair(_ index: Int, _ other: Int) {
      paired[index] = other
      isFree[other] = false
    }
    for index in alarms.indices {
      let same = byID[alarms[index].id]?.first { isFree[$0] && told[index] == toldEarlier[$0] }
      if let same { pair(index, same) }
    }
    // Queues, each with its first at the end.
    var bySense = Dictionary(grouping: earlier.alarms.indices.reversed().filter { isFree[$0] }) {
      toldEarlier[$0]
    }
    for index in alarms.indices where paired[index] == nil && !hasOwnName(alarms[index]) {
      if let other = bySense[told[index]]?.popLast() { pair(index, other) }
    }
    for index in alarms.indices where paired[index] == nil {
      if let other = byID[alarms[index].id]?.first(where: { isFree[$0] }) { pair(index, other) }
    }
    return paired
  }

  /// The alarms to which others were put off that are still what they were, unless they were answered elsewhere.
  private func keptSnoozes(of earlier: CalendarItem, _ paired: [Int: Int]) -> [Alarm] {
    guard earlier.alarms.contains(where: { $0.snoozeOf != nil }) else { return [] }
    let known = Set(paired.values)
    let snoozed = Set(alarms.compactMap(\.snoozeOf))
    var answerable: Set<Identifier<Alarm>> = []
    for (index, other) in paired {
      let (new, old) = (alarms[index], earlier.alarms[other])
      // What says when the alarm was seen would say that it was put off, too.
      let isAnswered = new.acknowledged.map { $0 >= old.acknowledged ?? .distantPast } ?? false
      if new.isSetAs(old), !isAnswered, !snoozed.contains(new.id), !snoozed.contains(old.id) {
        answerable.insert(old.id)
      }
    }
    return earlier.alarms.indices.lazy.filter { !known.contains($0) }.map { earlier.alarms[$0] }
      .filter { !ToldAlarms.isTold($0) && $0.snoozeOf.map(answerable.contains) ?? false }
  }

  /// True where the alarm came with an identifier, rather than being known by its place.
  private func hasOwnName(_ alarm: Alarm) -> Bool {
    !alarm.id.rawValue.hasPrefix("\(Identity.item(uid: uid, occurrence: detachment?.occurrence).rawValue)#")
  }

  private func unused(_ id: Identifier<Alarm>, in taken: Set<Identifier<Alarm>>) -> Identifier<Alarm> {
    if !taken.contains(id) { return id }
    // More than there are of either, so that few are tried.
    var number = max(alarms.count, taken.count)
    while taken.contains(Identity.alarm(number, of: self)) { number += 1 }
    return Identity.alarm(number, of: self)
  }
}

extension Alarm {
  /// What it says, whoever it is and whether it was seen.
  fileprivate func identityless(of item: CalendarItem) -> Alarm {
    var alarm = told(of: item)
    alarm.id = Identifier(rawValue: "")
    alarm.acknowledged = nil
    return alarm
  }

  /// True where both go off at the same time and place.
  fileprivate func isSetAs(_ other: Alarm) -> Bool {
    trigger == other.trigger && proximity == other.proximity
  }

  /// Takes over who `earlier` was, and that it was seen, unless this one goes off at another time or place.
  fileprivate mutating func keep(_ earlier: Alarm) {
    id = earlier.id
    guard isSetAs(earlier), let seen = earlier.acknowledged else { return }
    acknowledged = max(seen, acknowledged ?? seen)
  }
}
