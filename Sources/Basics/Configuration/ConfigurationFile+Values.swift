public import FencepostJSON

extension ConfigurationFile {
  /// The text or number of a setting, as written.
  ///
  /// - Throws: If it has another type.
  public func text(of member: JSONMember) throws(ConfigurationError) -> String {
    switch member.value.content {
    case .text(let text), .number(let text): return text
    default: throw error("must be a string, not \(member.value.kind)", line: member.line, key: member.key)
    }
  }

  /// The path of a setting. `~/` means the home directory.
  ///
  /// - Returns: `nil` if the file does not have the setting.
  /// - Throws: If the path is relative, because its base directory is not defined.
  public func path(_ key: String, home: String?) throws(ConfigurationError) -> String? {
    guard let member = member(key) else { return nil }
    let text = try text(of: member)
    guard let path = Self.absolute(text, home: home) else {
      throw error("must be an absolute path, such as '~/\(key)', not '\(text)'", line: member.line, key: key)
    }
    return path
  }

  /// The absolute path of `path` in a settings file; `nil` if it is relative.
  public static func absolute(_ path: String, home: String?) -> String? {
    if path.hasPrefix("/") { return path }
    guard let home, path.hasPrefix("~/") else { return nil }
    return home + path.dropFirst()
  }
}
