import Foundation

/// The app's name in the store, and its Info.plist keys.
struct AppIdentity: Sendable {
  /// The bundle identifier of the app's Info.plist; without one, the name of the process.
  let name: String
  /// The keys of its Info.plist.
  let keys: Set<String>

  /// The running app.
  static let current = AppIdentity(
    name: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
    keys: Set(Bundle.main.infoDictionary?.keys.map { $0 } ?? []))
}
