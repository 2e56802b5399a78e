import FencepostCommandLineTable
import FencepostConfiguration
import FencepostJSON
import FencepostSystem

/// The settings of a command. Options override the environment, which overrides the configuration file.
struct Settings {
  private let parsed: ParsedCommand<Action>
  /// Whether options and the environment override nothing.
  private var isFileAlone = false
  /// The default paths.
  let paths: StandardPaths
  /// The settings file; `nil` if it does not exist.
  let file: ConfigurationFile?
  /// The faults that the command goes on without; `nil` if each of them ends it.
  let faults: SettingFaults?

  /// The settings of a command.
  ///
  /// - Parameters:
  ///   - makesFile: Whether the command makes the file if it does not exist.
  ///   - faults: Takes the faults that the command goes on without.
  /// - Throws: ``Configuration/ConfigurationError`` if the file can't be read, or was named and does not
  ///   exist.
  init(
    _ parsed: ParsedCommand<Action>, environment: [String: String], makesFile: Bool = false,
    faults: SettingFaults? = nil
  ) throws {
    self.parsed = parsed
    self.faults = faults
    paths = StandardPaths(environment: environment)
    let named = parsed.value(.config)
    do {
      file =
        try makesFile
        ? (named ?? paths.defaultConfiguration).flatMap { try ConfigurationFile(path: $0) }
        : paths.configuration(at: named)
    } catch let error as ConfigurationError {
      // A file that is not there, or that this user may not read, is not the one that the user means.
      guard let faults, faults.areAll || error.line != nil && !Self.mayNameStore(error.path, parsed)
      else { throw error }
      faults.add(error)
      file = nil
    }
    try checkNames()
  }

  /// Whether a settings file that can't be read may name another store than the usual one.
  private static func mayNameStore(_ path: String, _ parsed: ParsedCommand<Action>) -> Bool {
    guard parsed.value(.store)?.isEmpty != false else { return false }
    guard let head = FileHead.read(path, upTo: 1 << 20) else { return true }
    return head.count == 1 << 20
      || String(decoding: head, as: UTF8.self).contains("\"\(SettingName.store.rawValue)\"")
  }

  /// The settings of the same command with another content of the file.
  ///
  /// - Parameter isFileAlone: Whether options and the environment override nothing.
  init(with file: ConfigurationFile, insteadOf settings: Settings, isFileAlone: Bool = false) throws {
    parsed = settings.parsed
    paths = settings.paths
    faults = nil
    self.file = file
    self.isFileAlone = isFileAlone
    try checkNames()
  }

  private func checkNames() throws {
    guard let path = file?.path else { return }
    for member in file?.members ?? [] where SettingName(rawValue: member.key) == nil {
      let error = Self.unknown(member, in: path)
      guard let faults else { throw error }
      faults.add(error)
    }
  }

  private static func unknown(_ member: JSONMember, in path: String) -> ConfigurationError {
    let names = SettingName.allCases.map(\.rawValue)
    let hint =
      SettingName.allCases.first { $0.option.name == member.key }.map { "did you mean '\($0.rawValue)'?" }
      ?? Spelling.suggestion(for: member.key, among: names)
      ?? "known settings: \(names.joined(separator: ", "))"
    return ConfigurationError(
      path: path, line: member.line, key: member.key, "unknown setting; \(hint)")
  }

  // MARK: Reading

  /// A setting from the options, otherwise from the environment, otherwise from the file.
  func setting(_ name: SettingName) throws -> Setting {
    do {
      return try read(name)
    } catch let error as ConfigurationError {
      guard let faults, faults.areAll || name != .store else { throw error }
      faults.add(error)
      return Setting(name: name, values: [])
    }
  }

  private func read(_ name: SettingName) throws -> Setting {
    let given = isFileAlone ? [] : parsed.arguments(name.option)
    if !given.isEmpty {
      return Setting(name: name, values: given.map { .init(text: $0.value, origin: Self.origin($0)) })
    }
    guard let file, let member = file.member(name.rawValue) else { return Setting(name: name, values: []) }
    func address(_ item: JSONValue) throws -> Setting.Value {
      let address = try AddressEntry(item, of: member.key, in: file)
      return .init(
        text: try address.text(home: paths.home), origin: .file(file.path, line: item.line),
        password: try address.passwordPath(home: paths.home).map { path in
          (path, try address.text(home: paths.home, includesPassword: false))
        })
    }
    guard name.isAddress else {
      let text = try file.text(of: member)
      return Setting(name: name, values: [.init(text: text, origin: .file(file.path, line: member.line))])
    }
    guard name.isList else { return Setting(name: name, values: [try address(member.value)]) }
    if name == .me || name == .joinHosts, member.value.text != nil {
      return Setting(name: name, values: [try address(member.value)])
    }
    guard case .list(let items) = member.value.content else {
      throw file.error("must be a list, not \(member.value.kind)", line: member.line, key: member.key)
    }
    return Setting(name: name, values: try items.map(address))
  }

  /// The value of a setting, converted by `read`; `nil` if not set.
  ///
  /// - Throws: ``SettingError`` with the origin.
  func value<Value>(_ name: SettingName, as read: (String) throws -> Value) throws -> Value? {
    try values(name, as: read).last
  }

  /// The values of a setting, converted by `read`.
  func values<Value>(_ name: SettingName, as read: (String) throws -> Value) throws -> [Value] {
    try setting(name).values.compactMap { value in
      do {
        return try read(value.text)
      } catch {
        let error = SettingError(name, value.origin, "\(error)")
        // What was just typed is no fault of the file.
        guard let faults, case .file = value.origin else { throw error }
        faults.add(error)
        return nil
      }
    }
  }

  /// A path; `~/` means the home directory.
  func path(_ name: SettingName) throws -> String? {
    guard let value = try setting(name).values.last else { return nil }
    guard case .file = value.origin else { return value.text }
    do {
      return try file?.path(name.rawValue, home: paths.home)
    } catch {
      guard let faults, faults.areAll || name != .store else { throw error }
      faults.add(error)
      return nil
    }
  }

  private static func origin(_ argument: Argument) -> Setting.Origin {
    switch argument.origin {
    case .option(let spelling): .option(spelling)
    case .environment(let name): .environment(name)
    case .position(let name): .option(name)
    }
  }
}
