/// Where the settings file and the store are, for the command line, the daemon and apps alike.
///
/// The store is where `FENCEPOST_STORE` says, else where the setting `store` says, else in the user's data directory
/// (XDG base directory specification, which has relative paths in its variables ignored).
public struct StandardPaths: Hashable, Sendable {
  private let environment: [String: String]

  /// The paths in a process with these environment variables.
  public init(environment: [String: String]) {
    self.environment = environment.filter { !$0.value.isEmpty }
  }

  /// The user's home directory; `nil` where `HOME` is not set.
  public var home: String? { environment["HOME"] }

  /// The settings file where nothing names another.
  public var usualConfiguration: String? {
    path("fencepost/config.json", below: "XDG_CONFIG_HOME", orHome: ".config")
  }

  /// The store where nothing names another.
  public var usualStore: String? {
    path("fencepost/calendar.sqlite", below: "XDG_DATA_HOME", orHome: ".local/share")
  }

  private func path(_ name: String, below variable: String, orHome folder: String) -> String? {
    if let directory = environment[variable], directory.hasPrefix("/") { return directory + "/" + name }
    return home.map { "\($0)/\(folder)/\(name)" }
  }

  /// The settings.
  ///
  /// - Parameter requested: The file that the user named; `nil` for that of `FENCEPOST_CONFIG`, else the usual one.
  /// - Returns: `nil` where there is no file and none was named.
  /// - Throws: ``ConfigurationError`` where the file can't be read, or was named and is not there.
  public func configuration(at requested: String? = nil) throws(ConfigurationError) -> ConfigurationFile? {
    let named = requested ?? environment["FENCEPOST_CONFIG"]
    guard let path = named ?? usualConfiguration else { return nil }
    let file = try ConfigurationFile(path: path)
    if file == nil, named != nil { throw ConfigurationError(path: path, "no such file") }
    return file
  }

  /// The store of a process that takes no options.
  ///
  /// - Returns: `nil` where nothing says where it is, not even `HOME`.
  /// - Throws: ``ConfigurationError`` where the settings are needed and can't be read.
  public func store() throws(ConfigurationError) -> String? {
    if let path = environment["FENCEPOST_STORE"] { return path }
    if let path = try configuration()?.path("store", home: home) { return path }
    return usualStore
  }
}
