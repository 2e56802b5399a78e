import Configuration
import Foundation

/// Where the events and reminders of an app are.
enum StoreLocation: Hashable, Sendable {
  /// In a file.
  case file(String)
  /// In memory, for as long as an ``EKEventStore`` or an object of it lives; each has its own.
  case memory(UUID)
  /// Unknown, because the settings can't be read. Another place would be the wrong one.
  case unknown(ConfigurationError)
  /// No store: that of objects that were made without one.
  case nowhere

  /// Where the program `fencepost` has it too: what `FENCEPOST_STORE` says, else the settings, else
  /// `fencepost/calendar.sqlite` in `XDG_DATA_HOME`, else in `~/.local/share`.
  static var standard: StoreLocation {
    var environment = ProcessInfo.processInfo.environment
    if environment["HOME", default: ""].isEmpty { environment["HOME"] = NSHomeDirectory() }
    do {
      return .file(try StandardPaths(environment: environment).store() ?? "calendar.sqlite")
    } catch {
      return .unknown(error)
    }
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
    // So that what opens it says why it can't.
    case .unknown: true
    case .nowhere: false
    }
  }
}
