package import FencepostAddresses
import FencepostPostgreSQL

/// `postgresql://…?table=NAME`, or `?query=SELECT…`: the rows of a database that are fences.
package struct FenceDatabase: Hashable, Sendable, CustomStringConvertible {
  /// What has the rows.
  enum Rows: Hashable {
    /// A table or view: its name, and before that perhaps its schema.
    case table([String])
    /// A SELECT.
    case query(String)
  }

  let address: PostgreSQLAddress
  let rows: Rows
  /// The column with the shape; `nil` for the only one of type geometry or geography.
  let geometry: String?
  /// The channel of NOTIFY that tells of changes.
  let channel: String

  /// The address without user and parameters.
  package var description: String { address.description }

  /// Reads an address.
  package init(_ text: String) throws(AddressError) {
    var words = try AddressParameters(text)
    switch (try words.take("table"), try words.take("query")) {
    case (let table?, nil):
      let parts = table.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard (1...2).contains(parts.count), !parts.contains("") else {
        throw words.failure("'table' must be NAME or SCHEMA.NAME")
      }
      rows = .table(parts)
    case (nil, let query?): rows = .query(query)
    case (nil, nil): throw words.failure("missing table; add ?table=NAME, or ?query=SELECT…")
    default: throw words.failure("use 'table' or 'query', not both")
    }
    geometry = try words.take("geometry")
    channel = try words.take("channel") ?? "fencepost"
    address = try PostgreSQLAddress(words)
  }

  /// Reads the fences as they are now.
  func read(over connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> FenceRows {
    let source: String
    switch rows {
    case .table(let parts):
      var names: [String] = []
      for part in parts { names.append(try connection.quoted(part)) }
      source = "SELECT * FROM \(names.joined(separator: "."))"
    // On lines of its own, as it may end with a comment.
    case .query(let query): source = "\n\(query)\n"
    }
    let columns = try connection.query("SELECT * FROM (\(source)) AS fences LIMIT 0").columns
    guard columns.contains(where: { $0.name == "id" }) else {
      throw PostgreSQLFailure(
        "the fences have no column 'id', which says that a fence is the same after a change;"
          + " use query=SELECT … AS id, …")
    }
    func optional(_ name: String, as type: String) throws(PostgreSQLFailure) -> String {
      guard columns.contains(where: { $0.name == name }) else { return "NULL" }
      return "\(try connection.quoted(name))::\(type)"
    }
    let shape = "\(try connection.quoted(try shapeColumn(columns, over: connection)))::geometry"
    // Coordinates without a system are degrees. Arcs become lines.
    let degrees = "CASE WHEN ST_SRID(\(shape)) = 0 THEN ST_SetSRID(\(shape), 4326) ELSE \(shape) END"
    let table = try connection.query(
      """
      SELECT id::text, \(try optional("name", as: "text")),
        ST_AsGeoJSON(ST_Transform(ST_CurveToLine(\(degrees)), 4326), 9),
        \(try optional("radius", as: "float8::text")), \(try optional("event", as: "text"))
      FROM (\(source)) AS fences ORDER BY 1
      """)
    return FenceRows(rows: table.rows)
  }

  private func shapeColumn(
    _ columns: [(name: String, type: UInt32)], over connection: PostgreSQLConnection
  ) throws(PostgreSQLFailure) -> String {
    if let geometry {
      guard columns.contains(where: { $0.name == geometry }) else {
        throw PostgreSQLFailure("the fences have no column '\(geometry)'")
      }
      return geometry
    }
    let types = try connection.query("SELECT oid FROM pg_type WHERE typname IN ('geometry', 'geography')")
      .rows
    let shapes = columns.filter { column in types.contains { $0.first == "\(column.type)" } }
    guard let first = shapes.first else {
      throw PostgreSQLFailure("the fences have no column of PostGIS's type geometry or geography")
    }
    guard shapes.count == 1 else {
      throw PostgreSQLFailure(
        "the fences have several shapes (\(shapes.map(\.name).joined(separator: ", "))); choose one with geometry=NAME"
      )
    }
    return first.name
  }
}
