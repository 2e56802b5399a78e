import FencepostCalendarModel

extension ZoneRules {
  /// The rules of a zone from a file.
  ///
  /// Endless observances are expanded for 400 years; then they repeat. An onset is in local time before the change (RFC
  /// 5545, section 3.6.5).
  convenience init(_ definition: TimeZoneDefinition) {
    var types: [LocalTimeType] = []
    func index(_ offset: Int, _ isDaylight: Bool, _ name: String) -> Int {
      let offset = min(max(offset, -93_599), 93_599)
      let type = LocalTimeType(offset: offset, isDaylight: isDaylight, abbreviation: name)
      if let index = types.firstIndex(of: type) { return index }
      types.append(type)
      return types.count - 1
    }
    // Before the first onset, use the offset before the earliest observance.
    let ordered = definition.observances.prefix(Self.observanceLimit).sorted { $0.start < $1.start }
    if let first = ordered.first { _ = index(first.offsetFrom, false, "") }

    let lastStart = ordered.last?.start.day.components.year ?? 1970
    // One full cycle after the start of the last one, and some years to fold.
    let horizon = CivilDateTime(year: min(max(lastStart, 1970), 9000) + 402, month: 1, day: 1)
    var repeats = false
    var transitions: [Transition] = []
    for observance in ordered {
      let type = index(observance.offsetTo, observance.isDaylight, observance.name ?? "")
      func add(_ civil: CivilDateTime) {
        let seconds = ZoneRules.localSeconds(civil) - Int64(observance.offsetFrom.clamped)
        transitions.append(Transition(seconds: seconds, type: type))
      }
      add(observance.start)
      for date in observance.dates.prefix(Self.onsetLimit) { add(date) }
      for rule in observance.rules.prefix(4) {
        if rule.end == .never { repeats = true }
        var until: CivilDateTime?
        if case .until(.utc(let end)) = rule.end {
          until = end.adding(seconds: Int64(observance.offsetFrom.clamped))
        }
        let expansion = RuleExpansion(rule, start: observance.start, until: until, startPolicy: .matching)
        for (number, onset) in expansion.enumerated() {
          if onset > horizon || number > Self.onsetLimit { break }
          add(onset)
        }
      }
    }
    let order = transitions.indices.sorted {
      (transitions[$0].seconds, $0) < (transitions[$1].seconds, $1)
    }
    var ascending: [Transition] = []
    ascending.reserveCapacity(order.count)
    for index in order {
      if ascending.last?.seconds == transitions[index].seconds { ascending.removeLast() }
      ascending.append(transitions[index])
    }
    let cycleYear = min(max(lastStart, 1970), 9000) + 1
    self.init(
      id: definition.id, types: types, transitions: ascending,
      cycleStart: repeats ? Int64(CivilDay(year: cycleYear, month: 1, day: 8).dayNumber) * 86_400 : nil)
  }

  /// The maximum number of observances. Real zones have some dozens.
  private static let observanceLimit = 1_000
  /// The maximum number of onsets of one observance.
  private static let onsetLimit = 2_000
}

extension Int {
  /// An offset from UTC within a range that avoids overflow.
  fileprivate var clamped: Int { Swift.min(Swift.max(self, -93_599), 93_599) }
}
