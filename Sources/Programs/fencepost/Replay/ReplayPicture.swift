import FencepostCartography
import FencepostCommandLineTable

/// The pictures of a replay, with their files.
struct ReplayPicture {
  /// The title: the names of the traces.
  let title: String
  private let page: AtomicFile?
  private let tiles: Bool
  private let drawing: AtomicFile?

  /// The requested pictures, with their files open; `nil` if no picture is requested.
  init?(_ context: CommandContext) throws {
    let parsed = context.parsed
    tiles = parsed.flag(.tiles)
    if tiles && parsed.value(.map) == nil {
      throw CommandError("--tiles needs --map FILE.html")
    }
    guard parsed.value(.map) != nil || parsed.value(.svg) != nil else { return nil }
    func open(_ path: String, _ kind: OutputKind) throws -> AtomicFile {
      try context.output(to: path, as: kind, isPrivate: true)
    }
    page = try parsed.value(.map).map { try open($0, .page) }
    drawing = try parsed.value(.svg).map { try open($0, .drawing) }
    let names = parsed.positionals(.trace).map { path in
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
