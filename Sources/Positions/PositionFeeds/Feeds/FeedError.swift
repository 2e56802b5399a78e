internal import FencepostSpatiotemporal
internal import Glibc

/// Why a trace, or the rest of it, cannot be read.
public struct FeedError: Error, Sendable, Hashable {
  /// The problem.
  public enum Problem: Sendable, Hashable {
    /// The file cannot be opened: the system's error number.
    case cannotOpen(Int32)
    /// Reading failed: the system's error number.
    case cannotRead(Int32)
    /// The caller interrupted the wait for more bytes.
    case interrupted
    /// The path is a directory.
    case directory
    /// The trace is empty or has only blanks.
    case empty
    /// The content is of another known kind.
    case foreign(ForeignContent)
    /// The format is unknown.
    case unknownFormat
    /// All points lack a time; the number of points.
    case noTimes(points: Int)
    /// No time can be read; the number of points.
    case badTimes(points: Int)
    /// There are only times of day; the number of positions.
    case noDates(positions: Int)
    /// A GPX or TCX file without a track; the counts of what it has instead.
    case noTrack(waypoints: Int = 0, routePoints: Int = 0, coursePoints: Int = 0)
    /// A CSV header without required columns: the missing ones and the ones found.
    case missingColumns([String], found: [String])
    /// Lines that end in CR alone, which no format here has.
    case loneReturns
    /// Rows of numbers without a header above them.
    case noHeader
    /// An XML file that declares entities or other parts of a document type.
    case documentTypeDeclaration
    /// XML that is not well formed, in libxml2's words.
    case malformedXML(String)
    /// XML beyond a bound, which the text names.
    case excessiveXML(String)
    /// XML or JSON that ends before everything is closed, or a binary file shorter than its header says.
    case truncated
    /// A FIT file with invalid messages.
    case malformedFIT
    /// The caller asked for gpsbabel, which is not installed.
    case noGPSBabel
    /// gpsbabel failed to read the file in that format.
    case conversionFailed(format: String)
    /// An archive without a trace; the number of its files.
    case noTraceInArchive(members: Int)
    /// Coordinates in another datum than WGS 84; its name.
    case otherDatum(String)
    /// An archive with more traces than the maximum.
    case tooManyTraces(maximum: Int)
    /// A document of a known format without a position.
    case noPositions
    /// A member of an archive that can't be unpacked; the reason.
    case cannotUnpack(String)
    /// Compressed data that ends early.
    case truncatedCompression
    /// Compressed data that does not inflate, or has a wrong checksum.
    case damagedCompression
    /// The trace runs backwards, and sorting it on disk failed: the system's error number.
    case cannotSort(Int32)
  }

  /// The trace: its path, or `stdin`.
  public var trace: String
  /// The line, from 1, if the problem is on one.
  public var line: Int?
  /// The problem.
  public var problem: Problem

  /// An error about `trace`.
  public init(trace: String, line: Int? = nil, problem: Problem) {
    self.trace = trace
    self.line = line
    self.problem = problem
  }
}

extension FeedError: CustomStringConvertible {
  /// One line: the trace, the line, the problem and what to do. Quoted names and text come from files, so
  /// blanks replace their control characters, which a terminal would obey.
  public var description: String {
    (line.map { "\(trace):\($0): \(problem)" } ?? "\(trace): \(problem)").withoutControls
  }
}

extension FeedError.Problem: CustomStringConvertible {
  /// The problem and what to do, without the trace's name.
  public var description: String {
    switch self {
    case .cannotOpen(EMFILE):
      "cannot be opened, because too many files are open; raise the limit (ulimit -n), or name fewer traces"
    case .cannotOpen(let code): "cannot be opened: \(String(cString: strerror(code)))"
    case .cannotRead(let code): "cannot be read: \(String(cString: strerror(code)))"
    case .interrupted: "was not read to its end: reading was interrupted"
    case .directory: "is a directory; name the traces in it"
    case .empty: "is empty"
    case .foreign(let content): content.description
    case .unknownFormat:
      "is not a readable trace; supported are GPX, KML, TCX, FIT, IGC, NMEA 0183, CSV with a header line, GeoJSON"
        + " and the JSON of OwnTracks, Overland, Traccar, Google, Polarsteps and gpsd, also in gzip and ZIP"
    case .noTimes(let points):
      "has no times (\(counted(points, "point")) without one); a trace needs the time of each position"
    case .badTimes(let points):
      "has no time that can be read (\(counted(points, "point"))); write times as 2026-05-01T08:30:00Z or as"
        + " seconds since 1970"
    case .noDates(let positions):
      "has times of day but no date (\(counted(positions, "position")));"
        + " let the receiver write the date too, NMEA 0183 in RMC or ZDA sentences and IGC in HFDTE"
    case .malformedFIT: "is damaged: its messages do not follow their definitions"
    case .noGPSBabel: "needs gpsbabel, which is not installed; install the package gpsbabel"
    case .conversionFailed(let format):
      "cannot be read by gpsbabel as \(format); gpsbabel -^3 lists the formats that it knows"
    case .noTraceInArchive(let members):
      "is a ZIP archive without a trace among its \(counted(members, "file"))"
    case .tooManyTraces(let maximum):
      "has more than \(maximum) traces, and the rest was not read; split it"
    case .otherDatum(let datum):
      "is in the datum '\(datum)'; convert it to WGS 84 first, for example with gpsbabel"
    case .noPositions: "has no positions"
    case .noTrack(0, 0, 0): "has no track"
    case .noTrack(let waypoints, let routePoints, let coursePoints):
      "has no track, only "
        + [(waypoints, "waypoint"), (routePoints, "route point"), (coursePoints, "course point")]
        .filter { $0.0 > 0 }.map { counted($0, $1) }.joined(separator: " and ")
        + "; these describe a plan, not where a device was"
    case .missingColumns(let missing, let found):
      "has no column for \(missing.joined(separator: " or ")) among \(found.joined(separator: ", "));"
        + " name it in the header, such as time,latitude,longitude,accuracy"
    case .loneReturns: "has lines that end in CR alone; convert it: tr '\\r' '\\n'"
    case .noHeader:
      "has no header; put a first line above the rows that names the columns,"
        + " such as time,latitude,longitude,accuracy"
    case .documentTypeDeclaration:
      "declares XML entities, which are never expanded; remove its document type declaration"
    case .malformedXML(let message): "is not well-formed XML: \(message)"
    case .excessiveXML(let bound): "is refused, because it \(bound)"
    case .truncated: "ends in the middle: the file is truncated"
    case .cannotUnpack(let what): "is \(what); unpack it first"
    case .truncatedCompression: "ends in the middle of its compressed data: the file is truncated"
    case .damagedCompression: "does not inflate: its compressed data is damaged"
    case .cannotSort(let code):
      "runs backwards, and can't be sorted in a temporary file: \(String(cString: strerror(code)));"
        + " free space in /var/tmp, or name another folder in TMPDIR"
    }
  }
}

/// `1 point`, `2 points`.
private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
