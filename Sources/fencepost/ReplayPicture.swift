import Cartography
import CommandLineTable

/// The pictures that a replay was asked to draw, with the files that they go into.
struct ReplayPicture {
  /// What the pictures are of: the names of the traces.
  let title: String
  private let page: AtomicFile?
  private let tiles: Bool
  private let drawing: AtomicFile?

  /// The pictures that the command line asks for, with their files begun; `nil` where it asks for none.
  init?(_ context: CommandContext) throws(CommandError) {
    let parsed = context.parsed
    tiles = parsed.flag("tiles")
    if tiles && parsed.value("map") == nil {
      throw CommandError("--tiles says what a map shows; say --map FILE.html too")
    }
    guard parsed.value("map") != nil || parsed.value("svg") != nil else { return nil }
    page = if let path = parsed.value("map") { try AtomicFile(path: path) } else { nil }
    drawing = if let path = parsed.value("svg") { try AtomicFile(path: path) } else { nil }
    let names = parsed.positionals("trace").map { path in
      path == "-" ? "Standard input" : path.split(separator: "/").last.map(String.init) ?? path
    }
    title = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  /// Draws `map` into the files.
  func write(_ map: TraceMap) throws(CommandError) {
    if let page { try page.finish(map.page(tiles: tiles)) }
    if let drawing { try drawing.finish(map.svg) }
  }
}
