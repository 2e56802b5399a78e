public import JSON

extension ConfigurationFile {
  /// The text or number of a setting, as it was written.
  ///
  /// - Throws: Where it is something else.
  public func text(of member: JSONMember) throws(ConfigurationError) -> String {
    switch member.value.content {
    case .text(let text), .number(let text): return text
    default: throw error("must be a string, not \(member.value.kind)", line: member.line, key: member.key)
    }
  }

  /// The path of a setting, in which `~/` stands for the home directory.
  ///
  /// - Returns: `nil` where the file does not have the setting.
  /// - Throws: Where it is not a whole path: nothing says what a relative one would start from.
  public func path(_ key: String, home: String?) throws(ConfigurationError) -> String? {
    guard let member = member(key) else { return nil }
    let text = try text(of: member)
    guard let path = Self.absolute(text, home: home) else {
      throw error("must be an absolute path, such as '~/\(key)', not '\(text)'", line: member.line, key: key)
    }
    return path
  }

  /// The whole path that `path` means in a settings file; `nil` where it is a relative one.
  public static func absolute(_ path: String, home: String?) -> String? {
    if path.hasPrefix("/") { return path }
    guard let home, path.hasPrefix("~/") else { return nil }
    return home + path.dropFirst()
  }
}
