import FencepostCalendarModel
import FencepostPhrases
import FencepostPositionFeeds

/// Shows the progress of reading traces on a terminal, after the first second.
struct Progress {
  private let console: Console
  private let isShown: Bool
  private let began: Int64
  private var next: Int64

  /// The microseconds before the first line, and between two lines.
  private static let delay: Int64 = 1_000_000
  private static let rhythm: Int64 = 200_000

  /// Progress from now on. It is not shown together with JSON for another program.
  init(_ context: CommandContext) {
    console = context.console
    isShown = console.showsProgress && !(context.json && !console.isTerminal)
    began = console.now()
    next = began + Progress.delay
  }

  /// Updates the line if it is time.
  mutating func update(_ feed: any PositionFeed) {
    guard isShown else { return }
    let now = console.now()
    guard now >= next else { return }
    next = now + Progress.rhythm
    console.showProgress(Progress.line(feed.reports, seconds: Double(now - began) / 1e6))
  }

  /// Shows the number of bytes and of decoded elements, if it is time.
  mutating func update(bytes: Int64, of total: Int64?, count: Int, of what: String) {
    guard isShown else { return }
    let now = console.now()
    guard now >= next else { return }
    next = now + Progress.rhythm
    let seconds = Double(now - began) / 1e6
    console.showProgress(
      Progress.line(bytes: bytes, of: total, count: count, of: what, seconds: seconds))
  }

  /// Removes the line.
  func end() { if isShown { console.showProgress(nil) } }

  /// `12.4 of 80.1 MB (15 %), 120,000 fixes, 98,000/s, 6 s left`.
  static func line(_ reports: [TraceReport], seconds: Double) -> String {
    let bytes = reports.reduce(0) { $0 + $1.bytesRead }
    let fixes = reports.reduce(0) { $0 + $1.fixes }
    let sizes = reports.map(\.totalBytes)
    let known = sizes.compactMap { $0 }
    let total = known.count == sizes.count ? known.reduce(0, +) : nil
    return line(bytes: bytes, of: total, count: fixes, of: "fixes", seconds: seconds)
  }

  /// The same for other counts.
  static func line(
    bytes: Int64, of total: Int64?, count: Int, of what: String, seconds: Double
  ) -> String {
    let counted = ["\(count.grouped) \(what)", "\(rate(count, seconds))/s"]
    guard let total, total > 0 else { return ([size(bytes)] + counted).joined(separator: ", ") }
    let part = min(Double(bytes) / Double(total), 1)
    let left = part > 0.01 ? ["\(SpanPhrase.text(seconds / part - seconds)) left"] : []
    let read = "\(size(bytes, like: total)) of \(size(total)) (\(Int(part * 100)) %)"
    return ([read] + counted + left).joined(separator: ", ")
  }

  private static func rate(_ fixes: Int, _ seconds: Double) -> String {
    let rate = seconds > 0 ? min(Double(fixes) / seconds, 1e15) : 0
    // More digits would change too fast to read.
    var step = 1.0
    while rate / step >= 1000 { step *= 10 }
    return Int((rate / step).rounded() * step).grouped
  }

  /// `80.1 MB`.
  static func size(_ bytes: Int64) -> String {
    let unit = unit(of: bytes)
    return "\(number(bytes, unit)) \(unit.name)"
  }

  /// The number in the unit of the total.
  private static func size(_ bytes: Int64, like total: Int64) -> String { number(bytes, unit(of: total)) }

  private static func unit(of bytes: Int64) -> (name: String, size: Int64) {
    switch bytes {
    case ..<1000: ("bytes", 1)
    case ..<1_000_000: ("kB", 1000)
    case ..<1_000_000_000: ("MB", 1_000_000)
    default: ("GB", 1_000_000_000)
    }
  }

  private static func number(_ bytes: Int64, _ unit: (name: String, size: Int64)) -> String {
    if unit.size == 1 { return String(bytes) }
    let tenths = bytes / (unit.size / 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
