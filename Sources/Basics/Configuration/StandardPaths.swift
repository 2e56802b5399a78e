/// The paths of the settings file and the store, for the command line, the daemon and apps.
///
/// The store's path is `FENCEPOST_STORE`, otherwise the setting `store`, otherwise a file in the user's data
/// directory. Relative paths in the variables are ignored (XDG base directory specification).
public struct StandardPaths: Hashable, Sendable {
  private let environment: [String: String]

  /// The paths in a process with these environment variables.
  public init(environment: [String: String]) {
    self.environment = environment.filter { !$0.value.isEmpty }
  }

  /// The user's home directory; `nil` if `HOME` is not set.
  public var home: String? { environment["HOME"] }

  /// The default path of the settings file.
  public var defaultConfiguration: String? {
    path("fencepost/config.json", below: "XDG_CONFIG_HOME", orHome: ".config")
  }

  /// The default path of the store.
  public var defaultStore: String? {
    path("fencepost/calendar.sqlite", below: "XDG_DATA_HOME", orHome: ".local/share")
  }

  /// The folders of programs' data (XDG Base Directory Specification): the user's first, then the system's in
  /// their order.
  public var dataDirectories: [String] {
    directories(
      below: "XDG_DATA_HOME", orHome: ".local/share", "XDG_DATA_DIRS", "/usr/local/share:/usr/share")
  }

  /// The folders of programs' settings (XDG Base Directory Specification): the user's first, then the system's in
  /// their order.
  public var configurationDirectories: [String] {
    directories(below: "XDG_CONFIG_HOME", orHome: ".config", "XDG_CONFIG_DIRS", "/etc/xdg")
  }

  private func directories(
    below own: String, orHome folder: String, _ others: String, _ standard: String
  ) -> [String] {
    let own = path("", below: own, orHome: folder).map { String($0.dropLast()) }
    let others = (environment[others] ?? standard).split(separator: ":")
    return [own].compactMap { $0 } + others.map(String.init).filter { $0.hasPrefix("/") }
  }

  private func path(_ name: String, below variable: String, orHome folder: String) -> String? {
    if let directory = environment[variable], directory.hasPrefix("/") { return directory + "/" + name }
    return home.map { "\($0)/\(folder)/\(name)" }
  }

  /// Reads the settings.
  ///
  /// - Parameter requested: The file that the user named; `nil` for that of `FENCEPOST_CONFIG`, otherwise the
  ///   default one.
  /// - Returns: `nil` if the default file does not exist.
  /// - Throws: ``ConfigurationError`` if the file can't be read, or was named and does not exist.
  public func configuration(at requested: String? = nil) throws(ConfigurationError) -> ConfigurationFile? {
    let named = requested ?? environment["FENCEPOST_CONFIG"]
    guard let path = named ?? defaultConfiguration else { return nil }
    let file = try ConfigurationFile(path: path)
    if file == nil, named != nil { throw ConfigurationError(path: path, "no such file") }
    return file
  }

  /// The path of the store for a process without options. A guarded store is elsewhere: ``GuardedStore``.
  ///
  /// - Returns: `nil` if no variable specifies it, not even `HOME`.
  /// - Throws: ``ConfigurationError`` if the settings are needed and can't be read.
  public func store() throws(ConfigurationError) -> String? {
    try originalStore().map { GuardedStore().file(for: $0) }
  }

  /// The path of the store for a process without options, as if no store was guarded.
  ///
  /// - Throws: As ``store()`` does.
  public func originalStore() throws(ConfigurationError) -> String? {
    if let path = environment["FENCEPOST_STORE"] { return path }
    if let path = try configuration()?.path("store", home: home) { return path }
    return defaultStore
  }
}
