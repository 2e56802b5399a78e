import FencepostDatabase
import Synchronization

/// Pictures of a street map in a local file: MBTiles 1.3 (https://github.com/mapbox/mbtiles-spec). The file
/// is only read.
public final class TileArchive: Sendable {
  /// Why a file can't be used.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file and the reason, one line.
    public let description: String
  }

  /// The media type of the pictures: `image/png`, `image/jpeg` or `image/webp`.
  public let type: String
  /// The zoom levels that have tiles.
  public let zooms: ClosedRange<Int>
  /// West, south, east and north in degrees (WGS 84); `nil` for the whole world.
  public let bounds: [Double]?
  /// Whom the map is due to, as plain text; `nil` if the file does not say.
  public let attribution: String?
  private let connection: Mutex<SQLiteConnection>

  /// The time for the queries of one call. A file's views can run for ever, and the daemon and the map wait.
  private let patience: Duration

  /// A larger picture than this is a mistake.
  private static let maximumBytes = 2 << 20

  /// Opens the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - patience: The time for the queries of one call.
  /// - Throws: ``Failure`` if it is not an MBTiles file with pictures, or takes too long.
  public init(path: String, patience: Duration = .seconds(5)) throws(Failure) {
    self.patience = patience
    do throws(StoreError) {
      let connection = try SQLiteConnection(path: path, isReadOnly: true, busyTimeout: 1_000)
      // The file may come from anywhere: what its views and triggers call must be harmless.
      try connection.execute(
        "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON")
      let (metadata, levels, first) = try connection.guarded(
        time: patience, bytes: 2 * Self.maximumBytes
      ) { () throws(StoreError) in
        let metadata = Dictionary(
          try connection.all(Queries.metadata) { ($0.text().lowercased(), $0.text()) },
          uniquingKeysWith: { first, _ in first })
        // To look at all tiles of a country takes long.
        let said = (metadata["minzoom"].flatMap { Int($0) }, metadata["maxzoom"].flatMap { Int($0) })
        let levels: (Int?, Int?)? =
          if case (_?, _?) = said {
            said
          } else {
            try connection.first(Queries.zooms) { ($0.optionalInt(), $0.optionalInt()) }
          }
        let first =
          try connection.first(Queries.any, { $0.add(Self.maximumBytes) }, read: { $0.bytes() }) ?? []
        return (metadata, levels, first)
      }
      guard let lowest = levels?.0, let highest = levels?.1, (0...30).contains(lowest),
        (lowest...30).contains(highest)
      else { throw StoreError(path: path, reason: .corrupt("it has no tiles")) }
      guard let type = Self.type(of: first) else {
        throw StoreError(path: path, reason: .corrupt("its tiles are not PNG, JPEG or WebP pictures"))
      }
      self.type = type
      zooms = lowest...highest
      let numbers = (metadata["bounds"] ?? "").split(separator: ",").compactMap {
        Double($0.filter { $0 != " " })
      }
      bounds = numbers.count == 4 && numbers.allSatisfy(\.isFinite) ? numbers : nil
      attribution = metadata["attribution"].map { Self.text(ofMarkup: $0) }
      self.connection = Mutex(connection)
    } catch {
      let reason =
        switch error.reason {
        case .corrupt(let reason): reason
        case _ where error.isInterruption: "it takes too long; its views may be a program"
        case .noStore, .noPermission, .isDirectory, .inputOutput, .locked: error.description
        default: "it is not an MBTiles file"
        }
      throw Failure(description: "can't use the tiles of \(path): \(reason)")
    }
  }

  /// A tile's picture; `nil` if the file does not have it.
  ///
  /// - Parameters:
  ///   - zoom: The zoom level.
  ///   - column: The column from the west.
  ///   - row: The row from the north, as web maps count. (The file counts from the south.)
  /// - Throws: `StoreError` if the file is no longer readable.
  ///
  /// Cost: a look into an index, one at a time.
  public func picture(zoom: Int, column: Int, row: Int) throws -> [UInt8]? {
    guard (0...30).contains(zoom) else { return nil }
    let count = 1 << zoom
    guard (0..<count).contains(column), (0..<count).contains(row) else { return nil }
    return try connection.withLock { connection throws(StoreError) in
      try connection.guarded(time: patience, bytes: 2 * Self.maximumBytes) { () throws(StoreError) in
        try connection.first(Queries.tile) {
          $0.add(zoom)
          $0.add(column)
          $0.add(count - 1 - row)
          $0.add(Self.maximumBytes)
        } read: {
          $0.bytes()
        }
      }
    }
  }

  /// The type of a picture by its first bytes; `nil` for something else, such as vector tiles.
  private static func type(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    return nil
  }

  /// The text of a line that may have links in it.
  private static func text(ofMarkup line: String) -> String {
    line.replacing(/<[^>]*>/, with: "").replacing("&copy;", with: "©").replacing("&amp;", with: "&")
  }
}

private enum Queries {
  static let metadata = SQL("SELECT CAST(name AS TEXT), CAST(value AS TEXT) FROM metadata LIMIT 1000")
  /// Each in a query of its own, for which SQLite looks at an end of an index.
  static let zooms = SQL("SELECT (SELECT min(zoom_level) FROM tiles), (SELECT max(zoom_level) FROM tiles)")
  static let any = SQL("SELECT CAST(tile_data AS BLOB) FROM tiles WHERE length(tile_data) <= ? LIMIT 1")
  static let tile = SQL(
    """
    SELECT CAST(tile_data AS BLOB) FROM tiles
    WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? AND length(tile_data) <= ? LIMIT 1
    """)
}
