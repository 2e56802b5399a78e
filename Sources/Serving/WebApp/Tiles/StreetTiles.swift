import FencepostAlgorithms
import FencepostWebServer

/// The source of the map's streets.
public enum StreetTiles: Sendable {
  /// A tile server: the address with `{z}`, `{x}` and `{y}`, and the copyright notice.
  case server(url: String, attribution: String)
  /// A file on this machine, with a copyright notice if the settings have one.
  case file(TileArchive, attribution: String)

  /// The address for pages, with `{z}`, `{x}` and `{y}`.
  var template: String {
    switch self {
    case .server(let url, _): url
    case .file: "/tiles/{z}/{x}/{y}"
    }
  }

  /// The copyright notice.
  var attribution: String {
    switch self {
    case .server(_, let text): text
    case .file(let archive, let text): text.isEmpty ? archive.attribution ?? "" : text
    }
  }

  /// The tile server's address; `nil` for a file.
  var foreignAddress: String? { if case .server(let url, _) = self { url } else { nil } }
}

extension WebApp {
  /// A tile of the file: `/tiles/Z/X/Y`. 204 if the file does not have it.
  func answerTile(_ head: HTTPHead) throws -> HTTPResponse {
    let numbers = head.segments.dropFirst().map { Int($0) }
    guard case .file(let archive, _) = surroundings.tiles, numbers.count == 3, let zoom = numbers[0],
      let column = numbers[1], let row = numbers[2]
    else { throw APIError.notFound("no tile '\(head.path)'") }
    let caching = ["Cache-Control": "private, max-age=604800"]
    guard let bytes = try archive.picture(zoom: zoom, column: column, row: row) else {
      return HTTPResponse(status: 204, headers: caching)
    }
    var hash = StableHash()
    hash.combine(bytes)
    let headers = caching.merging(["ETag": "\"\(hash.text)\"", "Content-Type": archive.type]) { $1 }
    if head.headers["if-none-match"] == headers["ETag"] { return HTTPResponse(status: 304, headers: headers) }
    return HTTPResponse(status: 200, headers: headers, body: bytes)
  }
}
