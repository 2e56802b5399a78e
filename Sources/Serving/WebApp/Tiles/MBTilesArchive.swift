import FencepostDatabase
import Synchronization

/// Tiles in a database: MBTiles 1.3 (https://github.com/mapbox/mbtiles-spec), with pictures or vector tiles.
final class MBTilesArchive: TileArchive {
  let format: TileFormat
  let zooms: ClosedRange<Int>
  let bounds: [Double]?
  let attribution: String?
  private let connection: Mutex<SQLiteConnection>

  /// The time for the queries of one call. A file's views can run for ever, and the daemon and the map wait.
  private let patience: Duration

  /// Opens the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - patience: The time for the queries of one call.
  /// - Throws: If it is not an MBTiles file with such tiles, or takes too long.
  init(path: String, patience: Duration) throws(TileFailure) {
    self.patience = patience
    do throws(StoreError) {
      let connection = try SQLiteConnection(path: path, isReadOnly: true, busyTimeout: 1_000)
      // The file may come from anywhere: what its views and triggers call must be harmless.
      try connection.execute(
        "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON")
      let (metadata, levels, first) = try connection.guarded(
        time: patience, bytes: 2 * TileLimits.tile
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
          try connection.first(Queries.any, { $0.add(TileLimits.tile) }, read: { $0.bytes() }) ?? []
        return (metadata, levels, first)
      }
      guard let lowest = levels?.0, let highest = levels?.1, (0...TileLimits.zoom).contains(lowest),
        (lowest...TileLimits.zoom).contains(highest)
      else { throw StoreError(path: path, reason: .corrupt("it has no tiles")) }
      guard let format = TileFormat(of: first) else {
        throw StoreError(
          path: path,
          reason: .corrupt("its tiles are neither pictures (PNG, JPEG, WebP or AVIF) nor vector tiles"))
      }
      self.format = format
      zooms = lowest...highest
      let numbers = (metadata["bounds"] ?? "").split(separator: ",").compactMap {
        Double($0.filter { $0 != " " })
      }
      bounds = numbers.count == 4 && numbers.allSatisfy(\.isFinite) ? numbers : nil
      attribution = metadata["attribution"].map { TileFile.text(ofMarkup: $0) }
      self.connection = Mutex(connection)
    } catch {
      let reason =
        switch error.reason {
        case .corrupt(let reason): reason
        case _ where error.isInterruption: "it takes too long; its views may be a program"
        case .noStore, .noPermission, .isDirectory, .inputOutput, .locked: error.description
        default: "it is neither an MBTiles file nor a PMTiles file"
        }
      throw TileFailure(path, reason)
    }
  }

  /// A tile. Cost: a look into an index, one at a time.
  func tile(zoom: Int, column: Int, row: Int) throws -> [UInt8]? {
    guard (0...TileLimits.zoom).contains(zoom) else { return nil }
    let count = 1 << zoom
    guard (0..<count).contains(column), (0..<count).contains(row) else { return nil }
    return try connection.withLock { connection throws(StoreError) in
      try connection.guarded(time: patience, bytes: 2 * TileLimits.tile) { () throws(StoreError) in
        try connection.first(Queries.tile) {
          $0.add(zoom)
          $0.add(column)
          // The file counts from the south.
          $0.add(count - 1 - row)
          $0.add(TileLimits.tile)
        } read: {
          $0.bytes()
        }
      }
    }
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
