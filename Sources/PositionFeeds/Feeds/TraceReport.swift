/// What was read of one trace so far.
public struct TraceReport: Sendable, Hashable {
  /// The records that were rejected for one reason.
  public struct Rejection: Sendable, Hashable {
    /// How many.
    public var count: Int
    /// The line of the first of them, from 1; `nil` where it is on none. Garmin FIT has messages in place of lines.
    public var firstLine: Int?
  }

  /// A zone that a trace does not name.
  public enum AssumedZone: Sendable, Hashable {
    /// UTC.
    case utc
    /// The reader's zone: a column is called local time.
    case local
  }

  /// The path of the trace, or `stdin`.
  public var name: String
  /// The format that its content showed; `nil` for a member of an archive that cannot be unpacked.
  public var format: TraceFormat?
  /// True where it is compressed.
  public var isCompressed: Bool
  /// Bytes read from the file, compressed ones where it is compressed.
  public var bytesRead: Int64 = 0
  /// The size of the file in bytes; `nil` where it is a pipe.
  public var totalBytes: Int64?
  /// Fixes handed out.
  public var fixes = 0
  /// Those of them that start a segment.
  public var segments = 0
  /// The records that gave no fix, by reason.
  public var rejections: [RejectionReason: Rejection] = [:]
  /// The zone in which times without one were read; `nil` if each time, or its column, names a zone.
  public var assumedZone: AssumedZone?
  /// What ended the trace before its end; the fixes before that are kept. `nil` where it was read whole, or
  /// is being read.
  public var interruption: FeedError?

  /// How many records were rejected.
  public var rejected: Int { rejections.values.reduce(0) { $0 + $1.count } }
}

extension TraceReport {
  /// What was read of the traces of one archive, which is called `name`.
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
