public import FencepostCalendarModel

/// Converts local times of one zone to instants and back, fast for times in order.
///
/// It remembers the span of the last time, so that most conversions are two comparisons and a subtraction. It tries the
/// following spans before it searches.
public struct ZoneCursor: Sendable {
  /// The zone's rules.
  public let rules: ZoneRules
  private var index = -1
  private var lower = Int64.max
  private var upper = Int64.min
  private var offset: Int64 = 0
  /// The UTC second at which the next span begins. Local times of this span from then on are in a gap.
  private(set) var changeSeconds = Int64.max
  /// The first local second with the next span's offset.
  var changeLocal: Int64 { upper }

  /// A cursor over `rules`.
  public init(_ rules: ZoneRules) { self.rules = rules }

  /// The UTC second for `local` seconds since 1970-01-01T00:00:00, with RFC 5545's rule for skipped and repeated times.
  @inline(__always)
  mutating func seconds(ofLocal local: Int64) -> Int64 {
    if local < lower || local >= upper { move(to: local) }
    return local &- offset
  }

  /// The instant of the local time `civil`.
  public mutating func instant(of civil: CivilDateTime) -> Instant {
    Instant(seconds: seconds(ofLocal: ZoneRules.localSeconds(civil)))
  }

  private mutating func move(to local: Int64) {
    // The next span is likely. Stay within one table, because folding moves the ends.
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

  /// The local second for `seconds` of UTC. Fast in the span of the last conversion in either direction.
  @inline(__always)
  mutating func local(ofSeconds seconds: Int64) -> Int64 {
    let shown = seconds &+ offset
    // A local time of this span before the next change is unique.
    if shown >= lower && shown < upper && seconds < changeSeconds { return shown }
    return movedLocal(ofSeconds: seconds)
  }

  private mutating func movedLocal(ofSeconds seconds: Int64) -> Int64 {
    let local = seconds + rules.spans[rules.span(at: ZoneRules.clamped(seconds)).index].offset
    if local < lower || local >= upper { move(to: local) }
    return local
  }
}
