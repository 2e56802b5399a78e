public import CalendarModel

/// Converts wall-clock readings of one zone to moments and back, fast where they come in order.
///
/// It remembers the span that the last reading fell in, so that most conversions are two comparisons and a
/// subtraction, and it looks at the spans that follow before it searches.
public struct ZoneCursor: Sendable {
  /// The zone's rules.
  public let rules: ZoneRules
  private var index = -1
  private var lower = Int64.max
  private var upper = Int64.min
  private var offset: Int64 = 0
  /// The second of UTC with which the next span begins: readings of this span at or after it are in a gap.
  private(set) var changeSeconds = Int64.max
  /// The first wall-clock second that is read with the next span's offset.
  var changeLocal: Int64 { upper }

  /// A cursor over `rules`.
  public init(_ rules: ZoneRules) { self.rules = rules }

  /// The second of UTC at which the clocks show `local` seconds since 1970-01-01T00:00:00, by RFC 5545's
  /// rule for readings that are skipped or shown twice.
  @inline(__always)
  mutating func seconds(ofLocal local: Int64) -> Int64 {
    if local < lower || local >= upper { move(to: local) }
    return local &- offset
  }

  /// The moment at which the clocks show `civil`.
  public mutating func instant(of civil: CivilDateTime) -> Instant {
    Instant(seconds: seconds(ofLocal: ZoneRules.localSeconds(civil)))
  }

  private mutating func move(to local: Int64) {
    // The span that follows is the likely one; within one table only, as folding moves the ends.
    if local >= upper, index >= 0, local < rules.localFold {
      let last = min(index + 4, rules.spans.count - 1)
      while index < last {
        index += 1
        if index + 1 == rules.spans.count || local < rules.spans[index + 1].localStart {
          return take(shift: 0)
        }
      }
    }
    let (index, shift) = rules.span(ofLocal: local)
    self.index = index
    take(shift: shift)
    if shift != 0 { self.index = -1 }
  }

  private mutating func take(shift: Int64) {
    let span = rules.spans[index]
    offset = span.offset
    lower = index == 0 ? .min : span.localStart + shift
    let end = index + 1 < rules.spans.count ? rules.spans[index + 1].localStart : .max
    let fold = rules.localFold
    upper = min(end, fold) == .max ? .max : min(end, fold) + shift
    changeSeconds = index + 1 < rules.spans.count ? rules.spans[index + 1].start + shift : .max
  }

  /// What the clocks show at `seconds` of UTC; fast where they are in the span of the last conversion, be it this one.
  @inline(__always)
  mutating func local(ofSeconds seconds: Int64) -> Int64 {
    let shown = seconds &+ offset
    // A reading of this span that is before the next change is shown but once.
    if shown >= lower && shown < upper && seconds < changeSeconds { return shown }
    return movedLocal(ofSeconds: seconds)
  }

  private mutating func movedLocal(ofSeconds seconds: Int64) -> Int64 {
    let local = seconds + rules.spans[rules.span(at: ZoneRules.clamped(seconds)).index].offset
    if local < lower || local >= upper { move(to: local) }
    return local
  }
}
