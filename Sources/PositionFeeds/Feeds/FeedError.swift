internal import Glibc
internal import Spatiotemporal

/// Why a trace cannot be read, or not further.
public struct FeedError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Problem: Sendable, Hashable {
    /// The file cannot be opened: the system's error number.
    case cannotOpen(Int32)
    /// Reading failed: the system's error number.
    case cannotRead(Int32)
    /// Somebody asked for an end of reading while it waited for more.
    case interrupted
    /// A directory stands there.
    case directory
    /// There is no byte in it, or none but blanks.
    case empty
    /// It is something else, known by its content.
    case foreign(ForeignContent)
    /// It is nothing that is known.
    case unknownFormat
    /// Every point lacks its time; how many there were.
    case noTimes(points: Int)
    /// Not one time can be read; how many points there were.
    case badTimes(points: Int)
    /// Times of day only; how many there were.
    case noDates(positions: Int)
    /// A GPX or TCX file without a track; what it has instead.
    case noTrack(waypoints: Int = 0, routePoints: Int = 0, coursePoints: Int = 0)
    /// A CSV header without columns that are needed; what is missing, and what is there.
    case missingColumns([String], found: [String])
    /// Lines that end in CR alone, as none here do.
    case loneReturns
    /// Rows of numbers with no header above them.
    case noHeader
    /// An XML file that declares entities or other parts of a document type.
    case documentTypeDeclaration
    /// XML that is not well formed, in libxml2's words.
    case malformedXML(String)
    /// XML beyond a bound, which is told.
    case excessiveXML(String)
    /// XML or JSON that ends before all in it is closed, or a binary file that is shorter than it says.
    case truncated
    /// A FIT file whose messages make no sense.
    case malformedFIT
    /// gpsbabel, which was asked for, is not installed.
    case noGPSBabel
    /// gpsbabel failed to read it in that format.
    case conversionFailed(format: String)
    /// An archive without a trace; how many files it has.
    case noTraceInArchive(members: Int)
    /// Coordinates in another datum than WGS 84; its name.
    case otherDatum(String)
    /// An archive with more traces than are read from one.
    case tooManyTraces(maximum: Int)
    /// A document of a known format that has no position in it.
    case noPositions
    /// A member of an archive that can't be unpacked; what it is.
    case cannotUnpack(String)
    /// Compressed data that ends early.
    case truncatedCompression
    /// Compressed data that does not inflate, or whose check sum is wrong.
    case damagedCompression
  }

  /// The trace: its path, or `stdin`.
  public var trace: String
  /// The line, from 1, where one is to blame.
  public var line: Int?
  /// What is wrong.
  public var problem: Problem

  /// An error about `trace`.
  public init(trace: String, line: Int? = nil, problem: Problem) {
    self.trace = trace
    self.line = line
    self.problem = problem
  }
}

extension FeedError: CustomStringConvertible {
  /// One line: the trace, the line, what is wrong and what to do. Names and what is quoted come from files: where they
  /// hold control characters, which a terminal would obey, blanks stand.
  public var description: String {
    (line.map { "\(trace):\($0): \(problem)" } ?? "\(trace): \(problem)").withoutControls
  }
}

extension FeedError.Problem: CustomStringConvertible {
  /// What is wrong and what to do, without the trace's name.
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
      "is no trace that can be read; GPX, KML, TCX, FIT, IGC, NMEA 0183, CSV with a header line, GeoJSON and the JSON of"
        + " OwnTracks, Overland, Traccar, Google, Polarsteps and gpsd can, also in gzip and ZIP"
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
      "has more than \(maximum) traces, and what comes after them was not read; divide it"
    case .otherDatum(let datum):
      "is in the datum '\(datum)'; convert it to WGS 84 first, with gpsbabel for one"
    case .noPositions: "has no position in it"
    case .noTrack(0, 0, 0): "has no track"
    case .noTrack(let waypoints, let routePoints, let coursePoints):
      "has no track, only "
        + [(waypoints, "waypoint"), (routePoints, "route point"), (coursePoints, "course point")]
        .filter { $0.0 > 0 }.map { counted($0, $1) }.joined(separator: " and ")
        + ", which \(waypoints + routePoints + coursePoints == 1 ? "says" : "say") where to go and not where somebody was"
    case .missingColumns(let missing, let found):
      "has no column for \(missing.joined(separator: " or ")) among \(found.joined(separator: ", "));"
        + " name it in the header, such as time,latitude,longitude,accuracy"
    case .loneReturns: "ends its lines in CR alone, as no program does any more; convert it: tr '\\r' '\\n'"
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
    }
  }
}

/// `1 point`, `2 points`.
private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
