public import FencepostCalendarModel

/// A file or folder that a client keeps beside its calendars.
public struct ClientFile: Hashable, Sendable {
  /// The encoded parts of its address, each after a slash; empty for the client's outermost folder.
  public var path: String
  /// Whether it is a folder.
  public var isCollection: Bool
  /// Its bytes; none for a folder.
  public var content: [UInt8]
  /// Its media type, if the client gave one.
  public var type: String?
  /// When it was last stored.
  public var modified: Instant

  /// A file or folder.
  public init(path: String, isCollection: Bool, content: [UInt8] = [], type: String? = nil, modified: Instant)
  {
    self.path = path
    self.isCollection = isCollection
    self.content = content
    self.type = type
    self.modified = modified
  }
}

extension StoreReader {
  /// A client's file or folder at a path.
  public func clientFile(_ path: String, of user: String) throws(StoreError) -> ClientFile? {
    try connection.first(
      Queries.one,
      {
        $0.add(user)
        $0.add(path)
      }, read: { $0.clientFile() })
  }

  /// What a client's folder contains, at any depth, by path.
  public func clientFiles(below path: String, of user: String) throws(StoreError) -> [ClientFile] {
    try connection.all(
      Queries.below,
      {
        $0.add(user)
        $0.add(path)
      }, read: { $0.clientFile() })
  }

  /// The number of a client's files and folders, and of their bytes.
  public func clientFileUse(of user: String) throws(StoreError) -> (count: Int, bytes: Int) {
    try connection.first(Queries.use, { $0.add(user) }, read: { ($0.int(), $0.int()) }) ?? (0, 0)
  }

  /// The properties that a client has set on its file or folder.
  public func clientFileProperties(
    _ path: String, of user: String
  ) throws(StoreError) -> [CalendarProperty] {
    try connection.all(Queries.properties) {
      $0.add(user)
      $0.add(path)
    } read: { row in
      CalendarProperty(namespace: row.text(), name: row.text(), value: row.text())
    }
  }
}

extension StoreWriter {
  /// Stores a client's file or folder.
  public func save(_ file: ClientFile, of user: String) throws(StoreError) {
    try connection.run(Queries.save) {
      $0.add(user)
      $0.add(file.path)
      $0.add(file.isCollection)
      $0.add(file.content)
      $0.add(file.type)
      $0.add(file.modified)
    }
  }

  /// Removes a client's file, or a folder with everything in it, and their properties.
  public func removeClientFiles(at path: String, of user: String) throws(StoreError) {
    for query in [Queries.remove, Queries.removeProperties] {
      try connection.run(query) {
        $0.add(user)
        $0.add(path)
      }
    }
  }

  /// Copies a client's file or folder and its properties to another path.
  public func copyClientFile(
    at path: String, to target: String, of user: String, modified: Instant
  ) throws(StoreError) {
    for query in [Queries.copy, Queries.copyProperties] {
      try connection.run(query) {
        $0.add(user)
        $0.add(path)
        $0.add(target)
        if query === Queries.copy { $0.add(modified) }
      }
    }
  }

  /// Sets a property of a client's file or folder.
  public func set(_ property: CalendarProperty, ofFile path: String, of user: String) throws(StoreError) {
    try connection.run(Queries.setProperty) {
      $0.add(user)
      $0.add(path)
      $0.add(property.namespace)
      $0.add(property.name)
      $0.add(property.value)
    }
  }

  /// Removes a property of a client's file or folder, if it is set.
  public func removeProperty(
    namespace: String, name: String, ofFile path: String, of user: String
  ) throws(StoreError) {
    try connection.run(Queries.removeProperty) {
      $0.add(user)
      $0.add(path)
      $0.add(namespace)
      $0.add(name)
    }
  }
}

extension RowReader {
  fileprivate mutating func clientFile() -> ClientFile {
    ClientFile(
      path: text(), isCollection: bool(), content: bytes(), type: optionalText(), modified: instant())
  }
}

private enum Queries {
  private static let selection =
    "SELECT path, is_collection, content, type, modified_at FROM client_files WHERE user = ?1 "
  /// `0` follows `/`, so this range is what begins with the path and a slash.
  private static let isBelow = "path > ?2 || '/' AND path < ?2 || '0'"
  static let one = SQL(selection + "AND path = ?2")
  static let below = SQL(selection + "AND \(isBelow) ORDER BY path")
  static let use = SQL("SELECT count(*), coalesce(sum(length(content)), 0) FROM client_files WHERE user = ?")
  static let save = SQL("INSERT OR REPLACE INTO client_files VALUES (?, ?, ?, ?, ?, ?)")
  static let remove = SQL("DELETE FROM client_files WHERE user = ?1 AND (path = ?2 OR \(isBelow))")
  static let copy = SQL(
    """
    INSERT OR REPLACE INTO client_files
    SELECT user, ?3, is_collection, content, type, ?4 FROM client_files WHERE user = ?1 AND path = ?2
    """)
  static let properties = SQL(
    """
    SELECT namespace, name, value FROM client_file_properties WHERE user = ? AND path = ? ORDER BY namespace, name
    """)
  static let setProperty = SQL("INSERT OR REPLACE INTO client_file_properties VALUES (?, ?, ?, ?, ?)")
  static let removeProperty = SQL(
    "DELETE FROM client_file_properties WHERE user = ? AND path = ? AND namespace = ? AND name = ?")
  static let removeProperties = SQL(
    "DELETE FROM client_file_properties WHERE user = ?1 AND (path = ?2 OR \(isBelow))")
  static let copyProperties = SQL(
    """
    INSERT OR REPLACE INTO client_file_properties
    SELECT user, ?3, namespace, name, value FROM client_file_properties WHERE user = ?1 AND path = ?2
    """)
}
