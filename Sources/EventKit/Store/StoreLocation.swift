import Foundation

/// Where the events and reminders of an app are.
enum StoreLocation: Hashable, Sendable {
  /// In a file.
  case file(String)
  /// In memory, for as long as an ``EKEventStore`` or an object of it lives; each has its own.
  case memory(UUID)

  /// What the environment says: `FENCEPOST_STORE`, else `fencepost/calendar.sqlite` in `XDG_DATA_HOME`, else
  /// in `~/.local/share`.
  static var standard: StoreLocation {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["FENCEPOST_STORE"], !path.isEmpty { return .file(path) }
    // The XDG base directory specification has relative paths ignored.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return .file(data + "/fencepost/calendar.sqlite")
    }
    return .file(NSHomeDirectory() + "/.local/share/fencepost/calendar.sqlite")
  }

  /// The same place by the one name that all its spellings and links have in common.
  var resolved: StoreLocation {
    guard case .file(let path) = self else { return self }
    let file = URL(fileURLWithPath: path).standardizedFileURL
    if FileManager.default.fileExists(atPath: file.path) { return .file(file.resolvingSymlinksInPath().path) }
    let directory = file.deletingLastPathComponent().resolvingSymlinksInPath()
    return .file(directory.appendingPathComponent(file.lastPathComponent).path)
  }

  /// True where there is a store to open, rather than one to begin.
  var exists: Bool {
    switch self {
    case .file(let path): FileManager.default.fileExists(atPath: path)
    case .memory: true
    }
  }
}
