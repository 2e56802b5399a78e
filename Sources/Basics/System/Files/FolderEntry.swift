import Glibc

/// A file or folder in a folder.
public struct FolderEntry: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// True for a folder. Links are followed neither to folders nor to files.
  public var isFolder: Bool

  /// The files and folders in a folder, by name, without links and devices; empty if it can't be read.
  public static func all(in folder: String) -> [FolderEntry] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var entries: [FolderEntry] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      var kind = Int32(entry.pointee.d_type)
      if kind == Int32(DT_UNKNOWN) {
        var status = stat()
        guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
        let type = status.st_mode & S_IFMT
        kind = type == S_IFDIR ? Int32(DT_DIR) : type == S_IFREG ? Int32(DT_REG) : kind
      }
      guard kind == Int32(DT_DIR) || kind == Int32(DT_REG) else { continue }
      entries.append(FolderEntry(name: name, isFolder: kind == Int32(DT_DIR)))
    }
    return entries.sorted { $0.name < $1.name }
  }
}
