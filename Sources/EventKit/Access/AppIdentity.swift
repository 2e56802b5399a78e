import Foundation

/// By what name the store knows an app, and what the app says it wants.
struct AppIdentity: Sendable {
  /// The bundle identifier of the app's Info.plist, else the name of the process.
  let name: String
  /// The keys of its Info.plist.
  let keys: Set<String>

  /// The app that runs.
  static let current = AppIdentity(
    name: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
    keys: Set(Bundle.main.infoDictionary?.keys.map { $0 } ?? []))
}
