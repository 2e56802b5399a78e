import FencepostSpatiotemporal
import FencepostSystem
import FoundationEssentials
import Glibc

/// Finds files to import in folders, such as exports and those of synchronizers (vdirsyncer). They have a
/// file for each item, or a folder for each calendar.
enum ImportFolder {
  /// The maximum depth of folders.
  private static let deepest = 8
  private static let extensions = [".ics", ".ical", ".ifb", ".vcf", ".vcard", ".otrw"]

  /// What was found in a folder.
  struct Folder {
    let path: String
    /// The files to import.
    var files: [String] = []
    /// Their folders, besides the first.
    var subfolders = 0
    /// The files of subfolders that are not imported, and those subfolders.
    var left = (files: 0, subfolders: 0)

    /// What is taken and left out; `nil` if there is nothing to say.
    var summary: String? {
      let name = path.withoutControls
      let rest =
        left.files == 0
        ? ""
        : "left out \(count(left.files, "file")) of \(count(left.subfolders, "subfolder")); --recursive takes them"
      guard subfolders > 0 else { return rest.isEmpty ? nil : "\(name): \(rest)" }
      return "\(name): \(count(files.count, "file")) of it and \(count(subfolders, "subfolder"))"
    }

    private func count(_ number: Int, _ what: String) -> String {
      "\(number) \(what)\(number == 1 ? "" : "s")"
    }
  }

  /// The files for the given paths, with those of folders in the order of their names, and the folders.
  ///
  /// - Parameters:
  ///   - words: The paths.
  ///   - isRecursive: Whether to take the files of subfolders too.
  ///   - skipped: Called for an entry of a folder that has a known extension but is not a regular file:
  ///     reading a pipe or a device may never end.
  /// - Throws: ``CommandError`` for a folder that can't be read, or contains no files to import.
  static func files(
    _ words: [String], isRecursive: Bool = false, skipped: (String) -> Void = { _ in }
  ) throws -> (files: [String], folders: [Folder]) {
    var files: [String] = []
    var folders: [Folder] = []
    for word in words {
      guard kind(of: word) == S_IFDIR else {
        files.append(word)
        continue
      }
      var folder = Folder(path: word)
      for (path, found) in try contents(of: word, depth: 0, skipped: skipped) where !found.isEmpty {
        if path == word {
          folder.files += found
        } else if isRecursive {
          folder.files += found
          folder.subfolders += 1
        } else {
          folder.left = (folder.left.files + found.count, folder.left.subfolders + 1)
        }
      }
      guard !folder.files.isEmpty else {
        let own = "\(word): contains no .ics, .vcf or .otrw file"
        throw CommandError(folder.summary.map { own + " itself; " + $0.dropFirst(word.count + 2) } ?? own)
      }
      files += folder.files
      folders.append(folder)
    }
    return (files, folders)
  }

  /// The files of a folder and, after them, of its subfolders.
  private static func contents(
    of folder: String, depth: Int, skipped: (String) -> Void
  ) throws -> [(folder: String, files: [String])] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw CommandError("\(folder): can't be read")
    }
    var found: [String] = []
    var below: [(folder: String, files: [String])] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      if kind(of: path, follows: false) == S_IFDIR {
        if depth < deepest { below += try contents(of: path, depth: depth + 1, skipped: skipped) }
      } else if extensions.contains(where: name.lowercased().hasSuffix) {
        // If the file's status can't be read, reading the file reports the error.
        if [S_IFREG, nil].contains(kind(of: path)) { found.append(path) } else { skipped(path) }
      }
    }
    return [(folder, found)] + below
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
