import FencepostAlgorithms
public import FencepostCalendarModel

/// The offsets of a time zone: its history as spans of constant offset, and its rule for the future.
///
/// The rule for the future is expanded once for 400 years. Then the calendar repeats, and later times are
/// folded into those years. So each query is one search in one table, for any year.
public final class ZoneRules: Sendable {
  /// The local time in a span.
  public struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of UTC.
    public var offset: Int
    /// Whether it is daylight saving time.
    public var isDaylight: Bool
    /// Its abbreviation, for example CEST.
    public var abbreviation: String

    /// A type of local time.
    public init(offset: Int, isDaylight: Bool, abbreviation: String) {
      self.offset = offset
      self.isDaylight = isDaylight
      self.abbreviation = abbreviation
    }
  }

  /// A change of the clocks.
  public struct Transition: Hashable, Sendable {
    /// The time of the change, in seconds since 1970-01-01T00:00:00Z.
    public var seconds: Int64
    /// The index of the new local time type.
    public var type: Int

    /// A change to `type` at `seconds`.
    public init(seconds: Int64, type: Int) {
      self.seconds = seconds
      self.type = type
    }
  }

  /// A time with a constant offset.
  struct Span {
    /// The UTC second of its start.
    var start: Int64
    /// The first local second with this span's offset. A skipped or repeated local time uses the offset
    /// before the change (RFC 5545, section 3.3.5).
    var localStart: Int64
    /// Seconds east of UTC.
    var offset: Int64
    /// Index of its type.
    var type: Int
  }

  /// The system's name of the zone, even if it was found by an alias.
  public let id: TimeZoneID
  /// The rule after the last transition of the zone's file; `nil` if the file has none.
  public let footer: POSIXTimeZone?
  let types: [LocalTimeType]
  let spans: [Span]
  /// The start of the years that represent all later ones; `nil` without a rule for the future.
  let cycleStart: Int64?

  /// The seconds in 400 years. The Gregorian calendar repeats after them.
  static let cycle: Int64 = 146_097 * 86_400
  /// Twice the largest distance of local time from UTC: the margin for folding local times.
  private static let margin: Int64 = 2 * 86_400
  /// The time range that avoids overflow.
  static let representable: ClosedRange<Int64> = -9_000_000_000_000...9_000_000_000_000

  /// Rules from transitions in ascending order. The first of `types` applies before the first transition.
  ///
  /// - Parameters:
  ///   - id: The zone's name.
  ///   - types: The local time types; not empty.
  ///   - transitions: The changes, each with an index into `types`.
  ///   - footer: The rule for the time after the last transition.
  ///   - cycleStart: The time from which `transitions` repeat every 400 years. They must cover those years
  ///     and some more days. Ignored if the footer has daylight saving time.
  init(
    id: TimeZoneID, types: [LocalTimeType], transitions: [Transition], footer: POSIXTimeZone? = nil,
    cycleStart: Int64? = nil
  ) {
    var types = types.isEmpty ? [LocalTimeType(offset: 0, isDaylight: false, abbreviation: "UTC")] : types
    var transitions = transitions
    var cycleStart = cycleStart
    if let footer {
      cycleStart = Self.layOut(footer, after: &transitions, types: &types)
    }
    var spans = [Span(start: .min, localStart: .min, offset: Int64(types[0].offset), type: 0)]
    spans.reserveCapacity(transitions.count + 1)
    var before = Int64(types[0].offset)
    var latest = Int64.min
    for transition in transitions {
      let offset = Int64(types[transition.type].offset)
      latest = max(latest, transition.seconds + max(before, offset))
      spans.append(
        Span(start: transition.seconds, localStart: latest, offset: offset, type: transition.type))
      before = offset
    }
    self.id = id
    self.types = types
    self.spans = spans
    self.footer = footer
    self.cycleStart = cycleStart
  }

  /// A zone with a constant offset.
  public convenience init(id: TimeZoneID, fixedOffset offset: Int, abbreviation: String? = nil) {
    self.init(
      id: id,
      types: [LocalTimeType(offset: offset, isDaylight: false, abbreviation: abbreviation ?? id.rawValue)],
      transitions: [])
  }

  /// Coordinated Universal Time.
  public static let utc = ZoneRules(id: .utc, fixedOffset: 0)

  /// Appends 400 years of `footer` and returns their start.
  private static func layOut(
    _ footer: POSIXTimeZone, after transitions: inout [Transition], types: inout [LocalTimeType]
  ) -> Int64? {
    func index(_ type: LocalTimeType) -> Int {
      if let index = types.firstIndex(of: type) { return index }
      types.append(type)
      return types.count - 1
    }
    let standard = index(LocalTimeType(offset: footer.offset, isDaylight: false, abbreviation: footer.name))
    guard let daylight = footer.daylight else {
      // No transition is needed. But a file with one block may leave the change to the footer's time to the
      // footer.
      if transitions.isEmpty, standard != 0 {
        transitions.append(Transition(seconds: .min / 4, type: standard))
      }
      return nil
    }
    let summer = index(
      LocalTimeType(offset: daylight.offset, isDaylight: true, abbreviation: daylight.name))
    // A rule without history, for example from TZ, applies from 1570 on.
    let last = transitions.last?.seconds ?? representable.lowerBound
    let lastYear =
      transitions.isEmpty ? 1569 : CivilDateTime(secondsSinceEpoch: last).day.components.year
    var changes: [Transition] = []
    changes.reserveCapacity(806)
    for year in lastYear...lastYear + 402 {
      changes.append(
        Transition(
          seconds: daylight.start.localSeconds(inYear: year) - Int64(footer.offset), type: summer))
      changes.append(
        Transition(
          seconds: daylight.end.localSeconds(inYear: year) - Int64(daylight.offset), type: standard))
    }
    // Stable, so that of two changes at the same time (daylight saving time all year) the later rule wins.
    let order = changes.indices.sorted { (changes[$0].seconds, $0) < (changes[$1].seconds, $1) }
    for index in order where changes[index].seconds > last {
      if let previous = transitions.last, previous.seconds == changes[index].seconds {
        transitions.removeLast()
      }
      transitions.append(changes[index])
    }
    return Int64(CivilDay(year: lastYear + 1, month: 1, day: 8).dayNumber) * 86_400
  }

  // MARK: Searching

  /// The span of the UTC second `seconds`, and the shift of its ends if `seconds` was folded.
  func span(at seconds: Int64) -> (index: Int, shift: Int64) {
    var shift: Int64 = 0
    if let cycleStart, seconds >= cycleStart + Self.cycle {
      shift = (seconds - cycleStart) / Self.cycle * Self.cycle
    }
    return (search(seconds - shift, \.start), shift)
  }

  /// The span whose offset applies to the local second `local`.
  func span(ofLocal local: Int64) -> (index: Int, shift: Int64) {
    var shift: Int64 = 0
    if let cycleStart, local >= cycleStart + Self.margin + Self.cycle {
      shift = (local - cycleStart - Self.margin) / Self.cycle * Self.cycle
    }
    return (search(local - shift, \.localStart), shift)
  }

  /// The latest local second in the table without folding.
  var localFold: Int64 {
    if let cycleStart { cycleStart + Self.margin + Self.cycle } else { .max }
  }

  @inline(__always)
  private func search(_ value: Int64, _ key: KeyPath<Span, Int64>) -> Int {
    // The last span that starts at or before `value`.
    spans.withUnsafeBufferPointer { spans in
      max(spans.partitioningIndex { $0[keyPath: key] > value } - 1, 0)
    }
  }
}

extension ZoneRules {
  /// The local time type at `instant`.
  public func localTimeType(at instant: Instant) -> LocalTimeType {
    types[spans[span(at: Self.clamped(instant.wholeSeconds)).index].type]
  }

  /// Seconds east of UTC at `instant`.
  public func offset(at instant: Instant) -> Int {
    Int(spans[span(at: Self.clamped(instant.wholeSeconds)).index].offset)
  }

  /// The local time at `instant`, without fractions of a second.
  public func civil(at instant: Instant) -> CivilDateTime {
    CivilDateTime(secondsSinceEpoch: localSeconds(at: instant.wholeSeconds))
  }

  /// The local second at `seconds` of UTC.
  func localSeconds(at seconds: Int64) -> Int64 {
    let seconds = Self.clamped(seconds)
    return seconds + spans[span(at: seconds).index].offset
  }

  /// The instant of the local time `civil`.
  ///
  /// A skipped local time uses the offset before the gap (02:30 is half past three). A repeated local time
  /// means the first pass (RFC 5545, section 3.3.5).
  public func instant(of civil: CivilDateTime) -> Instant {
    Instant(seconds: seconds(ofLocal: Self.localSeconds(civil)))
  }

  /// The UTC second of the local second `local`.
  func seconds(ofLocal local: Int64) -> Int64 {
    local - spans[span(ofLocal: local).index].offset
  }

  /// The next change of the clocks after `instant`, or `nil`.
  public func transition(after instant: Instant) -> Transition? {
    let seconds = Self.clamped(instant.wholeSeconds)
    let (index, shift) = span(at: seconds)
    guard index + 1 < spans.count else { return nil }
    return Transition(seconds: spans[index + 1].start + shift, type: spans[index + 1].type)
  }

  /// The local time type after `transition`.
  public func localTimeType(from transition: Transition) -> LocalTimeType { types[transition.type] }

  /// The last local second whose instant is at or before `seconds`. If the clocks have just gone back and
  /// will repeat a local time, it is later than the current local time.
  func lastLocal(notAfter seconds: Int64) -> Int64 {
    let (index, shift) = span(at: Self.clamped(seconds))
    let shown = Self.clamped(seconds) + spans[index].offset
    return index == 0 ? shown : max(shown, spans[index].localStart + shift - 1)
  }

  /// Local seconds before ``lastLocal(notAfter:)`` whose instants are after `seconds`: the clocks have just
  /// skipped them, so they use the offset before the gap. Otherwise empty.
  func skippedLocals(after seconds: Int64) -> Range<Int64> {
    let seconds = Self.clamped(seconds)
    let (index, shift) = span(at: seconds)
    guard index > 0 else { return 0..<0 }
    let first = seconds + spans[index - 1].offset + 1
    return first..<max(first, spans[index].localStart + shift)
  }

  /// The first local second whose instant can be at or after `seconds`, or one before it.
  func firstLocal(notBefore seconds: Int64) -> Int64 {
    let (index, _) = span(at: Self.clamped(seconds))
    return Self.clamped(seconds) + min(spans[index].offset, spans[max(0, index - 1)].offset)
  }

  /// `civil` in seconds, within the representable time.
  static func localSeconds(_ civil: CivilDateTime) -> Int64 {
    let limit = 100_000_000
    let day = min(max(civil.day.dayNumber, -limit), limit)
    return Int64(day) * 86_400 + Int64(min(max(civil.secondOfDay, 0), 86_400))
  }

  static func clamped(_ seconds: Int64) -> Int64 {
    min(max(seconds, representable.lowerBound), representable.upperBound)
  }
}
