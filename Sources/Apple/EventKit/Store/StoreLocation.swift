package import FencepostConfiguration
import Foundation

/// The location of an app's events and reminders.
package enum StoreLocation: Hashable, Sendable {
  /// In a file.
  case file(String)
  /// In memory, as long as an ``EKEventStore`` or one of its objects exists. Each has its own.
  case memory(UUID)
  /// Unknown, because the settings can't be read. Any other location would be wrong.
  case unknown(ConfigurationError)
  /// No store, for objects created without one.
  case nowhere

  /// The same location as that of the program `fencepost`: `FENCEPOST_STORE`, otherwise the settings, otherwise
  /// `fencepost/calendar.sqlite` in `XDG_DATA_HOME`, or in `~/.local/share` by default.
  package static var standard: StoreLocation {
    var environment = ProcessInfo.processInfo.environment
    if environment["HOME", default: ""].isEmpty { environment["HOME"] = NSHomeDirectory() }
    do {
      return .file(try StandardPaths(environment: environment).store() ?? "calendar.sqlite")
    } catch {
      return .unknown(error)
    }
  }

  /// The canonical form of the location, without symbolic links.
  var resolved: StoreLocation {
    guard case .file(let path) = self else { return self }
    let file = URL(fileURLWithPath: path).standardizedFileURL
    if FileManager.default.fileExists(atPath: file.path) { return .file(file.resolvingSymlinksInPath().path) }
    let directory = file.deletingLastPathComponent().resolvingSymlinksInPath()
    return .file(directory.appendingPathComponent(file.lastPathComponent).path)
  }

  /// True if the store exists.
  var exists: Bool {
    switch self {
    case .file(let path): FileManager.default.fileExists(atPath: path)
    case .memory: true
    // Opening it reports the error.
    case .unknown: true
    case .nowhere: false
    }
  }
}
