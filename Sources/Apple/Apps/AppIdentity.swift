import Foundation

/// The app's name in the store, and its Info.plist keys.
package struct AppIdentity: Sendable {
  /// The bundle identifier of the app's Info.plist; without one, the name of the process.
  package let name: String
  /// What people call it.
  package let title: String
  /// The keys of its Info.plist.
  package let keys: Set<String>

  package init(name: String, title: String? = nil, keys: Set<String> = []) {
    self.name = name
    self.title = title ?? name
    self.keys = keys
  }

  /// The running app.
  package static let current = AppIdentity(
    name: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
    title: ["CFBundleDisplayName", "CFBundleName"].lazy.compactMap {
      Bundle.main.infoDictionary?[$0] as? String
    }.first,
    keys: Set(Bundle.main.infoDictionary?.keys.map { $0 } ?? []))
}
