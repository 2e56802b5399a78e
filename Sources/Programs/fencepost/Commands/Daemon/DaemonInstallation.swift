import FencepostCommandLineTable
import FencepostConfiguration
import FencepostDaemon
import FencepostLiveFeeds
import FoundationEssentials
import Glibc

extension CommandContext {
  /// `daemon --install [--print]`: writes the systemd unit that runs the daemon with the given options.
  func installService() throws {
    let unit = try serviceUnit(with: FencepostTable.daemonSettings)
    if parsed.flag(.print) { return try console.write(unit.text) }
    let path = try write(unit)
    console.say(
      """
      The unit is at \(path). To start it now and at each log-in:
        systemctl --user daemon-reload
        systemctl --user enable --now \(ServiceUnit.name)
      To let it run while you are not logged in:
        loginctl enable-linger
      """)
  }

  /// Writes a unit, and returns its path.
  @discardableResult
  func write(_ unit: ServiceUnit) throws -> String {
    let path = try unitPath()
    try makeFolder(of: path)
    try AtomicFile(path: path).finish(unit.text)
    return path
  }

  /// `daemon --uninstall`.
  func uninstallService() throws {
    let path = try unitPath()
    guard unlink(path) == 0 else {
      let reason = errno == ENOENT ? "no such file" : String(cString: strerror(errno))
      throw CommandError("can't remove \(path): \(reason)")
    }
    console.say(
      """
      Removed \(path). To stop the daemon if it is running:
        systemctl --user disable --now \(ServiceUnit.name)
        systemctl --user daemon-reload
      """)
  }

  /// The unit that runs this program with these options of this command line, and those of every command.
  func serviceUnit(with options: [Option]) throws -> ServiceUnit {
    let program = try parsed.value(.program) ?? Self.ownPath()
    // The unit of a package is for all users. The unit of one user must contain the settings from the current
    // environment, because services do not inherit it.
    let isPackage = parsed.value(.program) != nil
    var arguments: [String] = []
    var hasSetting = false
    for option in options + parsed.node.inheritedOptions {
      for argument in parsed.arguments(of: option) where argument.index != nil || !isPackage {
        hasSetting = hasSetting || argument.index != nil
        arguments +=
          option.value == nil
          ? ["--\(option.name)"] : ["--\(option.name)", Self.absolute(argument.value, of: option)]
      }
    }
    // Report errors now, not later in a log. The users of a package have their own settings.
    let configuration = isPackage && !hasSetting ? nil : try daemonConfiguration()
    guard !hasSetting || configuration?.isWithoutSecrets != false else {
      throw CommandError(
        "an address contains a secret, and other users can read the unit; put it in \(usualSettings) and run chmod 600 on that file"
      )
    }
    return ServiceUnit(program: program, arguments: arguments, writableFolders: try foldersOutsideHome())
  }

  /// The value of an option with absolute paths, because the unit runs in another folder.
  private static func absolute(_ value: String, of option: Option) -> String {
    func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
    switch option.name {
    case "store", "config", "socket", "broker": return absolute(value)
    case "feed":
      switch try? FeedAddress(value) {
      case .path(let path): return absolute(path)
      case .tail(let path): return "tail:" + absolute(path)
      default: return value
      }
    default: return value
    }
  }

  private var usualSettings: String { settings.paths.defaultConfiguration ?? "the settings file" }

  /// The folders of the store and the socket, if the unit would not allow writing to them.
  private func foldersOutsideHome() throws -> [String] {
    guard let home = console.environment["HOME"], !home.isEmpty, parsed.value(.program) == nil else {
      return []
    }
    let folders = try Set([storePath(), controlSocket()]).map { path in
      URL(fileURLWithPath: path).deletingLastPathComponent().standardizedFileURL.path
    }
    return Set(folders.filter { $0 != home && !$0.hasPrefix(home + "/") }).sorted()
  }

  func unitPath() throws -> String {
    let environment = console.environment
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return folder + "/systemd/user/" + ServiceUnit.name
    }
    guard let home = environment["HOME"], !home.isEmpty else {
      throw CommandError("can't find the folder for units: HOME is not set")
    }
    return home + "/.config/systemd/user/" + ServiceUnit.name
  }

  func makeFolder(of path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true
      )
    } catch {
      throw CommandError("can't create the folder of \(path): \(error)")
    }
  }

  static func ownPath() throws -> String {
    guard let path = realpath("/proc/self/exe", nil) else {
      throw CommandError("can't find the path of this program; use --program PATH")
    }
    defer { free(path) }
    return String(cString: path)
  }
}
