/// The result of reading one trace so far.
public struct TraceReport: Sendable, Hashable {
  /// The rejected records with one reason.
  public struct Rejection: Sendable, Hashable {
    /// The number of records.
    public var count: Int
    /// The line of the first one, from 1; `nil` if it has none. Garmin FIT counts messages instead of lines.
    public var firstLine: Int?
  }

  /// The zone for times without one.
  public enum AssumedZone: Sendable, Hashable {
    /// UTC.
    case utc
    /// The reader's zone, for a column of local times.
    case local
  }

  /// The path of the trace, or `stdin`.
  public var name: String
  /// The format; `nil` for a member of an archive that cannot be unpacked.
  public var format: TraceFormat?
  /// Whether it is compressed.
  public var isCompressed: Bool
  /// The number of bytes read from the file, before decompression.
  public var bytesRead: Int64 = 0
  /// The size of the file in bytes; `nil` for a pipe.
  public var totalBytes: Int64?
  /// The number of fixes returned.
  public var fixes = 0
  /// The number of these fixes that start a segment.
  public var segments = 0
  /// The number of these fixes that came after a later one of their device, if the reader sorts them.
  public var late = 0
  /// The number of those that came too late to be sorted.
  public var unsorted = 0
  /// The rejected records, by reason.
  public var rejections: [RejectionReason: Rejection] = [:]
  /// The zone used for times without one; `nil` if each time, or its column, names a zone.
  public var assumedZone: AssumedZone?
  /// Why the trace ended early; the fixes before that are kept. `nil` if it was read completely, or reading
  /// goes on.
  public var interruption: FeedError?

  /// The number of rejected records.
  public var rejected: Int { rejections.values.reduce(0) { $0 + $1.count } }
}

extension TraceReport {
  /// The combined report of the traces of one archive, called `name`.
  init(sumOf reports: [TraceReport], name: String) {
    self.init(name: name, format: reports.lazy.compactMap(\.format).first, isCompressed: true)
    for report in reports {
      fixes += report.fixes
      assumedZone = assumedZone ?? report.assumedZone
      segments += report.segments
      for (reason, rejection) in report.rejections {
        rejections[reason, default: Rejection(count: 0, firstLine: rejection.firstLine)].count +=
          rejection.count
      }
      interruption = interruption ?? report.interruption
    }
  }
}

/// The reason why a record of a trace is not a fix.
///
/// The raw values appear in JSON output: cases are added, never renamed.
public enum RejectionReason: String, Sendable, Hashable, CaseIterable {
  /// There is no position, or it is not a number, or it is out of range.
  case badCoordinate = "bad_coordinate"
  /// No time.
  case noTime = "no_time"
  /// A time that cannot be read, or a day that does not exist.
  case badTime = "bad_time"
  /// A time of day, and no other record has its date.
  case noDate = "no_date"
  /// A sentence whose checksum is wrong.
  case badChecksum = "bad_checksum"
  /// A sentence without a checksum in a log whose sentences have one.
  case noChecksum = "no_checksum"
  /// A record with an invalid structure.
  case malformed
  /// The receiver had no position.
  case noFix = "no_fix"
  /// The trace ended within a record.
  case truncated
  /// A device beyond the maximum per trace.
  case tooManyDevices = "too_many_devices"
}
