import FencepostAlgorithms

/// The first line of a CSV trace: the separator, and the content of each column.
struct CSVHeader {
  /// The byte between columns.
  let separator: UInt8
  /// The content of each column; `nil` if it does not matter.
  let columns: [TraceField?]
  /// The names of the columns, as written.
  let names: [String]
  /// Whether it is in a comment, as OpenTracks writes it.
  private(set) var isComment = false

  /// The header in `line`; `nil` if it does not name a position. In a comment, which may just mention
  /// columns, it must name the time too.
  static func found(in line: UnsafeBufferPointer<UInt8>) -> CSVHeader? {
    let range = CSVFields.trimmed(line.span)
    guard line[range].first == ASCII.hash else {
      let header = CSVHeader(line: line)
      return header.hasPosition ? header : nil
    }
    var header = CSVHeader(line: UnsafeBufferPointer(rebasing: line[range].drop { $0 == ASCII.hash }))
    header.isComment = true
    return header.hasPosition && header.hasTime ? header : nil
  }

  /// Reads any `line`. If it is not a header, no column has a meaning.
  init(line: UnsafeBufferPointer<UInt8>) {
    var separator = ASCII.comma
    var most = 0
    for candidate in [ASCII.comma, ASCII.semicolon, ASCII.tab, ASCII.bar] {
      let count = line.lazy.filter { $0 == candidate }.count
      if count > most {
        most = count
        separator = candidate
      }
    }
    var fields = CSVFields(line: line, separator: separator)
    var names: [String] = []
    var found: [(column: TraceField, rank: Int)?] = []
    while let field = fields.next(), names.count < 1024 {
      names.append(CSVFields.text(of: UnsafeBufferPointer(rebasing: field.prefix(64))))
      found.append(TraceField.named(field))
    }
    for role in TraceField.Role.allCases {
      let holders = found.enumerated().compactMap { index, holder in
        holder.flatMap { $0.column.role == role ? (index: index, rank: $0.rank) : nil }
      }
      let best = holders.min { $0.rank < $1.rank }
      for holder in holders where holder.index != best?.index { found[holder.index] = nil }
    }
    // If a column has the name of a device, `id` is a row number.
    if found.contains(where: { $0?.column.role == .device }) {
      for index in found.indices where found[index]?.column.role == .identifier { found[index] = nil }
    }
    // OpenTracks has both columns. In other files, `type` may mean anything.
    if names.contains(where: { $0.lowercased() == "tracksegment" }),
      let type = names.firstIndex(where: { $0.lowercased() == "type" })
    {
      found[type] = (TraceField(role: .rowType), 0)
    }
    self.separator = separator
    self.names = names
    columns = CSVHeader.inTheirUnits(found.map { $0?.column }, names)
  }

  /// Adjusts the columns of loggers whose headers don't name their units: OpenTracks and Columbus write
  /// kilometres per hour, and Columbus writes dates as `yyMMdd`.
  private static func inTheirUnits(_ columns: [TraceField?], _ names: [String]) -> [TraceField?] {
    let isColumbus = names.contains("LATITUDE N/S")
    guard isColumbus || columns.contains(where: { $0?.role == .rowType }) else { return columns }
    return columns.map { column in
      switch column?.role {
      case .speed?: TraceField(role: .speed, scale: TraceField.kilometresAnHour)
      case .date? where isColumbus: TraceField(role: .date, scale: 0)
      default: column
      }
    }
  }

  /// Whether there is a column of `role`.
  func has(_ role: TraceField.Role) -> Bool { columns.contains { $0?.role == role } }

  /// Whether it names latitude and longitude. This distinguishes a header from other lines.
  var hasPosition: Bool { has(.latitude) && has(.longitude) }

  /// Whether it names a time.
  var hasTime: Bool { has(.time) || has(.date) }

  /// Whether `line` is skipped before a header and among rows: it is blank, or a comment.
  static func isSkipped(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = line.first(where: { !CSVFields.isPadding($0) }) else { return true }
    return first == ASCII.hash
  }

  /// Whether `line` is several lines that end in CR alone.
  static func hasLoneReturns(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    zip(line, line.dropFirst()).contains { $0 == 0x0D && $1 != 0x0D }
  }

  /// Throws what is wrong with `line` as a header, if it looks like one.
  static func explain(_ line: UnsafeBufferPointer<UInt8>, name: String) throws(FeedError) {
    if hasLoneReturns(line) { throw FeedError(trace: name, problem: .loneReturns) }
    let header = CSVHeader(line: line)
    guard header.names.count > 1 else { return }
    if header.names.lazy.filter({ DecimalNumber.parse($0.utf8.span) != nil }).count >= 2 {
      throw FeedError(trace: name, line: 1, problem: .noHeader)
    }
    guard header.columns.contains(where: { $0 != nil }) else { return }
    throw FeedError(trace: name, line: 1, problem: header.missingColumns)
  }

  /// The columns that a trace needs and this header lacks.
  var missingColumns: FeedError.Problem {
    var missing: [String] = []
    if !has(.latitude) { missing.append("latitude") }
    if !has(.longitude) { missing.append("longitude") }
    if !hasTime { missing.append("time") }
    return .missingColumns(missing, found: Array(names.prefix(20)))
  }
}
