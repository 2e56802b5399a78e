import FoundationEssentials
import Glibc

/// Finds files to import in folders, such as those of exports and synchronizers (vdirsyncer): a file per item, or a
/// folder a calendar.
enum ImportFolder {
  /// Deeper folders are not looked into.
  private static let deepest = 8
  private static let extensions = [".ics", ".ical", ".ifb", ".vcf", ".vcard", ".otrw"]

  /// The files that words name, those of folders in the order of their names; and whether a folder is among them.
  ///
  /// - Throws: ``CommandError`` for a folder that can't be read, or holds nothing of the kind.
  static func files(_ words: [String]) throws -> (files: [String], isFolder: Bool) {
    var files: [String] = []
    var isFolder = false
    for word in words {
      guard isDirectory(word) else {
        files.append(word)
        continue
      }
      isFolder = true
      let found = try contents(of: word, depth: 0)
      guard !found.isEmpty else { throw CommandError("\(word): contains no .ics, .vcf or .otrw file") }
      files += found
    }
    return (files, isFolder)
  }

  private static func contents(of folder: String, depth: Int) throws -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw CommandError("\(folder): can't be read")
    }
    var found: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      if isDirectory(path, follows: false) {
        if depth < deepest { found += try contents(of: path, depth: depth + 1) }
      } else if extensions.contains(where: name.lowercased().hasSuffix) {
        found.append(path)
      }
    }
    return found
  }

  /// - Parameter follows: Whether a symbolic link to a folder counts as one: one that is named does, and one within a folder
  ///   may lead back to it.
  private static func isDirectory(_ path: String, follows: Bool = true) -> Bool {
    var status = stat()
    guard (follows ? stat(path, &status) : lstat(path, &status)) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR
  }
}
