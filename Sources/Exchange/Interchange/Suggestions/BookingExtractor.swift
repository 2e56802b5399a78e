import FencepostReservations
import FencepostSystem

/// `kitinerary-extractor` of KDE, where it is installed: it reads what PDFs and the barcodes in them show.
///
/// It is a program of others that reads files of strangers, so it runs with limits of time, memory and
/// output.
public struct BookingExtractor: Hashable, Sendable {
  private let program: ChildProgram

  /// The most seconds for a document.
  private static let timeout = 20.0
  /// The largest document, in bytes.
  private static let maximumInput = 20 << 20
  /// The most bytes of its answer.
  private static let maximumOutput = 4 << 20
  /// The most bytes of memory that it may map; Qt alone maps some hundred million.
  private static let memory: UInt64 = 2 << 30

  /// The program at `path`.
  public init(path: String) {
    var program = ChildProgram(path: path, arguments: ["--output", "JsonLd"])
    program.inheritsEnvironment = false
    // Without a screen.
    program.variables = ["QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    program.memory = Self.memory
    self.program = program
  }

  /// The installed program, or `nil`. Debian has it in `libkpimitinerary-bin`.
  ///
  /// - Parameters:
  ///   - path: The folders of `PATH`, with colons between them.
  ///   - libraries: The folder of the system's libraries.
  public static func installed(path: String?, libraries: String = "/usr/lib") -> BookingExtractor? {
    let ports = FolderEntry.all(in: libraries).filter { $0.isFolder && $0.name.hasSuffix("-linux-gnu") }
    let roots = ports.map { "\(libraries)/\($0.name)/libexec" } + ["\(libraries)exec", libraries]
    let folders =
      (path ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
      + roots.flatMap { ["\($0)/kf6", "\($0)/kf5"] }
    return folders.map { "\($0)/kitinerary-extractor" }.first(where: ChildProgram.canRun).map(Self.init)
  }

  /// What it finds in a document; empty if that is nothing, or if it fails.
  ///
  /// Cost: some tenths of a second.
  func reservations(in document: [UInt8], _ reader: ReservationReader) -> [Reservation] {
    guard document.count <= Self.maximumInput,
      let answer = try? program.ask(input: document, timeout: Self.timeout, most: Self.maximumOutput),
      answer.ending == .exited(0)
    else { return [] }
    return reader.reservations(inJSON: answer.output)
  }
}
