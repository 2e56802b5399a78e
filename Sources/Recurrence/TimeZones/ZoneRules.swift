import Algorithms
public import CalendarModel

/// Which offset a time zone keeps when: its history as spans of constant offset, and its rule for the
/// future.
///
/// The rule for the future is laid out once for 400 years, after which the calendar repeats; later times
/// are folded into those years. So every question is one search in one table, for any year.
public final class ZoneRules: Sendable {
  /// What the clocks show during a span.
  public struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of UTC.
    public var offset: Int
    /// True for daylight saving time.
    public var isDaylight: Bool
    /// Its abbreviation, such as CEST.
    public var abbreviation: String

    /// A type of local time.
    public init(offset: Int, isDaylight: Bool, abbreviation: String) {
      self.offset = offset
      self.isDaylight = isDaylight
      self.abbreviation = abbreviation
    }
  }

  /// A moment at which the clocks change.
  public struct Transition: Hashable, Sendable {
    /// When, in seconds since 1970-01-01T00:00:00Z.
    public var seconds: Int64
    /// What the clocks show from then on, as an index into the types.
    public var type: Int

    /// A change to `type` at `seconds`.
    public init(seconds: Int64, type: Int) {
      self.seconds = seconds
      self.type = type
    }
  }

  /// A time during which the offset does not change.
  struct Span {
    /// The second of UTC with which it begins.
    var start: Int64
    /// The first wall-clock second that is read with this span's offset. A reading that does not exist or
    /// exists twice is read with the offset before the change (RFC 5545, section 3.3.5).
    var localStart: Int64
    /// Seconds east of UTC.
    var offset: Int64
    /// Index of its type.
    var type: Int
  }

  /// The name by which the zone was found: the system's own name for it, whatever alias was asked for.
  public let id: TimeZoneID
  /// The rule that holds after the last transition of the zone's file; `nil` where it came without.
  public let footer: POSIXTimeZone?
  let types: [LocalTimeType]
  let spans: [Span]
  /// Where the years begin that stand for all later ones; `nil` where there is no rule for the future.
  let cycleStart: Int64?

  /// Seconds of the 400 years after which the Gregorian calendar repeats.
  static let cycle: Int64 = 146_097 * 86_400
  /// How far the wall clock may be from UTC, doubled: the margin where local times are folded.
  private static let margin: Int64 = 2 * 86_400
  /// What is left of the time line once its ends are safe to calculate with.
  static let representable: ClosedRange<Int64> = -9_000_000_000_000...9_000_000_000_000

  /// Rules from transitions in ascending order, the first of `types` holding before the first of them.
  ///
  /// - Parameters:
  ///   - id: The zone's name.
  ///   - types: What the clocks show; not empty.
  ///   - transitions: When they change, each naming one of `types`.
  ///   - footer: The rule for the time after the last transition.
  ///   - cycleStart: Where `transitions` themselves begin to repeat every 400 years; they must then run
  ///     for those years and some days on. Ignored where there is a footer with daylight saving time.
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

  /// A zone that keeps one offset for ever.
  public convenience init(id: TimeZoneID, fixedOffset offset: Int, abbreviation: String? = nil) {
    self.init(
      id: id,
      types: [LocalTimeType(offset: offset, isDaylight: false, abbreviation: abbreviation ?? id.rawValue)],
      transitions: [])
  }

  /// Coordinated Universal Time.
  public static let utc = ZoneRules(id: .utc, fixedOffset: 0)

  /// Appends what `footer` says of 400 years and returns where they begin.
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
      // No change is due, but a file of one block may leave the change to the footer's time to the footer.
      if transitions.isEmpty, standard != 0 {
        transitions.append(Transition(seconds: .min / 4, type: standard))
      }
      return nil
    }
    let summer = index(
      LocalTimeType(offset: daylight.offset, isDaylight: true, abbreviation: daylight.name))
    // A rule with no history, as TZ may hand in, is taken to have always held (from 1570 on).
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
    // Stable, so that of two changes at one moment (daylight saving time all year) the later rule wins.
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

  /// The span that holds the second `seconds` of UTC, and by how much to move its ends where `seconds` was
  /// folded.
  func span(at seconds: Int64) -> (index: Int, shift: Int64) {
    var shift: Int64 = 0
    if let cycleStart, seconds >= cycleStart + Self.cycle {
      shift = (seconds - cycleStart) / Self.cycle * Self.cycle
    }
    return (search(seconds - shift, \.start), shift)
  }

  /// The span with whose offset the wall-clock second `local` is read.
  func span(ofLocal local: Int64) -> (index: Int, shift: Int64) {
    var shift: Int64 = 0
    if let cycleStart, local >= cycleStart + Self.margin + Self.cycle {
      shift = (local - cycleStart - Self.margin) / Self.cycle * Self.cycle
    }
    return (search(local - shift, \.localStart), shift)
  }

  /// The latest wall-clock second for which the table may be asked without folding.
  var localFold: Int64 {
    if let cycleStart { cycleStart + Self.margin + Self.cycle } else { .max }
  }

  @inline(__always)
  private func search(_ value: Int64, _ key: KeyPath<Span, Int64>) -> Int {
    // The last span whose start is not after `value`.
    spans.withUnsafeBufferPointer { spans in
      max(spans.partitioningIndex { $0[keyPath: key] > value } - 1, 0)
    }
  }
}

extension ZoneRules {
  /// What the clocks show at `instant`.
  public func localTimeType(at instant: Instant) -> LocalTimeType {
    types[spans[span(at: Self.clamped(instant.wholeSeconds)).index].type]
  }

  /// Seconds east of UTC at `instant`.
  public func offset(at instant: Instant) -> Int {
    Int(spans[span(at: Self.clamped(instant.wholeSeconds)).index].offset)
  }

  /// What the clocks show at `instant`, fractions of a second dropped.
  public func civil(at instant: Instant) -> CivilDateTime {
    CivilDateTime(secondsSinceEpoch: localSeconds(at: instant.wholeSeconds))
  }

  /// What the clocks show at `seconds` of UTC, as wall-clock seconds.
  func localSeconds(at seconds: Int64) -> Int64 {
    let seconds = Self.clamped(seconds)
    return seconds + spans[span(at: seconds).index].offset
  }

  /// The moment at which the clocks show `civil`.
  ///
  /// Where the clocks skip that reading, it is read with the offset before the gap (02:30 is half past
  /// three); where they show it twice, the first of the two is meant: RFC 5545, section 3.3.5.
  public func instant(of civil: CivilDateTime) -> Instant {
    Instant(seconds: seconds(ofLocal: Self.localSeconds(civil)))
  }

  /// Seconds of UTC at which the clocks show `local` seconds.
  func seconds(ofLocal local: Int64) -> Int64 {
    local - spans[span(ofLocal: local).index].offset
  }

  /// The next change of the clocks after `instant`; `nil` where there is none.
  public func transition(after instant: Instant) -> Transition? {
    let seconds = Self.clamped(instant.wholeSeconds)
    let (index, shift) = span(at: seconds)
    guard index + 1 < spans.count else { return nil }
    return Transition(seconds: spans[index + 1].start + shift, type: spans[index + 1].type)
  }

  /// What the clocks show from `transition` on.
  public func localTimeType(from transition: Transition) -> LocalTimeType { types[transition.type] }

  /// The last wall-clock second that is read as a moment not after `seconds`: later than the clocks show
  /// then where they have just gone back and are yet to show that reading again.
  func lastLocal(notAfter seconds: Int64) -> Int64 {
    let (index, shift) = span(at: Self.clamped(seconds))
    let shown = Self.clamped(seconds) + spans[index].offset
    return index == 0 ? shown : max(shown, spans[index].localStart + shift - 1)
  }

  /// The wall-clock seconds before ``lastLocal(notAfter:)`` that are moments after `seconds` all the same: where
  /// the clocks have just skipped them, they are read with the offset before the gap. Empty elsewhere.
  func skippedLocals(after seconds: Int64) -> Range<Int64> {
    let seconds = Self.clamped(seconds)
    let (index, shift) = span(at: seconds)
    guard index > 0 else { return 0..<0 }
    let first = seconds + spans[index - 1].offset + 1
    return first..<max(first, spans[index].localStart + shift)
  }

  /// The first wall-clock second that can be read as a moment not before `seconds`, or one before it.
  func firstLocal(notBefore seconds: Int64) -> Int64 {
    let (index, _) = span(at: Self.clamped(seconds))
    return Self.clamped(seconds) + min(spans[index].offset, spans[max(0, index - 1)].offset)
  }

  /// `civil` in seconds, within the time that can be told.
  static func localSeconds(_ civil: CivilDateTime) -> Int64 {
    let limit = 100_000_000
    let day = min(max(civil.day.dayNumber, -limit), limit)
    return Int64(day) * 86_400 + Int64(min(max(civil.secondOfDay, 0), 86_400))
  }

  static func clamped(_ seconds: Int64) -> Int64 {
    min(max(seconds, representable.lowerBound), representable.upperBound)
  }
}
