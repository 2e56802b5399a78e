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
    var free = Dictionary(grouping: earlier.alarms.indices) { earlier.alarms[$0].id }
    var paired: [Int: Int] = [:]
    func pair(_ index: Int, _ other: Int) {
      paired[index] = other
      free[earlier.alarms[other].id]?.removeAll { $0 == other }
    }
    let told = alarms.map { $0.identityless(of: self) }
    let toldEarlier = earlier.alarms.map { $0.identityless(of: earlier) }
    for index in alarms.indices {
      if let other = free[alarms[index].id]?.first(where: { told[index] == toldEarlier[$0] }) {
        pair(index, other)
      }
    }
    for index in alarms.indices where paired[index] == nil && hasOwnName(alarms[index]) == false {
      let other = earlier.alarms.indices.first { other in
        told[index] == toldEarlier[other] && free[earlier.alarms[other].id]?.contains(other) == true
      }
      if let other { pair(index, other) }
    }
    for index in alarms.indices where paired[index] == nil {
      if let other = free[alarms[index].id]?.first { pair(index, other) }
    }
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

  /// The alarms to which others were put off that are still what they were, unless they were answered elsewhere.
  private func keptSnoozes(of earlier: CalendarItem, _ paired: [Int: Int]) -> [Alarm] {
    let known = Set(paired.values)
    return earlier.alarms.indices.filter { !known.contains($0) }.map { earlier.alarms[$0] }.filter { snooze in
      paired.contains { index, other in
        let (new, old) = (alarms[index], earlier.alarms[other])
        return old.id == snooze.snoozeOf && new.isSetAs(old)
          && !alarms.contains { $0.snoozeOf == new.id || $0.snoozeOf == old.id }
          && (new.acknowledged ?? .distantPast) <= (old.acknowledged ?? .distantPast)
      }
    }
  }

  /// True where the alarm came with an identifier, rather than being known by its place.
  private func hasOwnName(_ alarm: Alarm) -> Bool {
    !alarm.id.rawValue.hasPrefix("\(Identity.item(uid: uid, occurrence: detachment?.occurrence).rawValue)#")
  }

  private func unused(_ id: Identifier<Alarm>, in taken: Set<Identifier<Alarm>>) -> Identifier<Alarm> {
    if !taken.contains(id) { return id }
    var number = alarms.count
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
