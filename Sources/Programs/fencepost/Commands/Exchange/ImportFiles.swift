import FencepostSystem
import FoundationEssentials
import Glibc

/// Finds files to import in folders, such as exports and those of synchronizers (vdirsyncer). They have a
/// file for each item, or a folder for each calendar.
enum ImportFolder {
  /// The maximum depth of folders.
  private static let deepest = 8
  private static let extensions = [".ics", ".ical", ".ifb", ".vcf", ".vcard", ".otrw"]

  /// The files for the given paths, with those of folders in the order of their names. Also returns whether a
  /// path is a folder.
  ///
  /// - Parameters:
  ///   - words: The paths.
  ///   - skipped: Called for an entry of a folder that has a known extension but is not a regular file:
  ///     reading a pipe or a device may never end.
  /// - Throws: ``CommandError`` for a folder that can't be read, or contains no files to import.
  static func files(
    _ words: [String], skipped: (String) -> Void = { _ in }
  ) throws -> (files: [String], isFolder: Bool) {
    var files: [String] = []
    var isFolder = false
    for word in words {
      guard kind(of: word) == S_IFDIR else {
        files.append(word)
        continue
      }
      isFolder = true
      let found = try contents(of: word, depth: 0, skipped: skipped)
      guard !found.isEmpty else { throw CommandError("\(word): contains no .ics, .vcf or .otrw file") }
      files += found
    }
    return (files, isFolder)
  }

  private static func contents(
    of folder: String, depth: Int, skipped: (String) -> Void
  ) throws -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw CommandError("\(folder): can't be read")
    }
    var found: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      if kind(of: path, follows: false) == S_IFDIR {
        if depth < deepest { found += try contents(of: path, depth: depth + 1, skipped: skipped) }
      } else if extensions.contains(where: name.lowercased().hasSuffix) {
        // If the file's status can't be read, reading the file reports the error.
        if [S_IFREG, nil].contains(kind(of: path)) { found.append(path) } else { skipped(path) }
      }
    }
    return found
  }

  /// The kind of a file, of `S_IFMT`; `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - follows: Whether to follow a symbolic link. A link within a folder may lead back to that folder.
  private static func kind(of path: String, follows: Bool = true) -> mode_t? {
    var status = stat()
    guard (follows ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }
}

/// The kind of an imported file.
enum ImportSource {
  case calendar, json, todoText, waypoints, contacts

  /// Detects the kind by the file name, and contacts and JSON also by their first bytes.
  init(_ path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".otrw") {
      self = .waypoints
    } else if name.hasSuffix(".vcf") || name.hasSuffix(".vcard") {
      self = .contacts
    } else if name.hasSuffix("todo.txt") || name.hasSuffix("done.txt") {
      self = .todoText
    } else {
      let start = ImportSource.start(of: path)
      if start.uppercased() == "BEGIN:VCARD" {
        self = .contacts
      } else if start.hasPrefix("{") || start.hasPrefix("[") {
        self = .json
      } else {
        self = .calendar
      }
    }
  }

  private static func start(of path: String) -> String {
    var status = stat()
    // A pipe can be read only once.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let head = FileHead.read(path, upTo: 64)
    else { return "" }
    let start = head.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 == 0x0D || $0 == 0x0A }
    return String(decoding: start.prefix(11), as: UTF8.self)
  }
}
