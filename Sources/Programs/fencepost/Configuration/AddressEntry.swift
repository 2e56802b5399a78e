import FencepostAlgorithms
import FencepostConfiguration
import FencepostDaemon
import FencepostJSON
import FencepostSystem
import FoundationEssentials

/// An address of a feed or channel in the settings file: a text, or an object with `address`, `password-file`
/// and parameters of the address.
struct AddressEntry {
  private let address: String
  private let words: [(name: String, value: String)]
  private let passwordFile: (path: String, line: Int)?
  private let file: ConfigurationFile
  private let key: String

  init(_ value: JSONValue, of key: String, in file: ConfigurationFile) throws {
    self.file = file
    self.key = key
    switch value.content {
    case .text(let text):
      address = text
      words = []
      passwordFile = nil
    case .object(let members):
      var found: String?
      var words: [(String, String)] = []
      var passwordFile: (String, Int)?
      for member in members {
        let texts = try Self.texts(member, of: key, in: file)
        switch member.key {
        case "address": found = texts.first
        case "password-file": passwordFile = texts.first.map { ($0, member.line) }
        default: words += texts.map { (member.key, $0) }
        }
      }
      guard let found else {
        throw file.error("an object here must have an 'address'", line: value.line, key: key)
      }
      address = found
      self.words = words
      self.passwordFile = passwordFile
    default:
      throw file.error(
        "must be an address or an object with an 'address', not \(value.kind)", line: value.line, key: key
      )
    }
  }

  private static func texts(
    _ member: JSONMember, of key: String, in file: ConfigurationFile
  ) throws -> [String] {
    func text(_ value: JSONValue) throws -> String {
      switch value.content {
      case .text(let text), .number(let text): return text
      case .flag(let flag): return flag ? "true" : "false"
      default:
        throw file.error("'\(member.key)' must be a string, not \(value.kind)", line: value.line, key: key)
      }
    }
    guard case .list(let values) = member.value.content, member.key != "address",
      member.key != "password-file"
    else { return [try text(member.value)] }
    return try values.map(text)
  }

  /// The path of the password file; `nil` if the entry has none.
  func passwordPath(home: String?) throws -> String? {
    guard let passwordFile else { return nil }
    if let path = ConfigurationFile.absolute(passwordFile.path, home: home) { return path }
    throw file.error(
      "password-file must be an absolute path, not '\(passwordFile.path)'", line: passwordFile.line,
      key: key)
  }

  /// The complete address with secrets. `includesPassword` can exclude the password of a separate file.
  func text(home: String?, includesPassword: Bool = true) throws -> String {
    var text = address
    if includesPassword, let passwordFile, let path = try passwordPath(home: home) {
      text = try adding(
        password: secret(in: path, line: passwordFile.line), to: text, line: passwordFile.line)
    }
    for word in words {
      // Here the paths of files may start with `~/`, like all paths in the settings file.
      let value = word.name.hasSuffix("-file") ? ConfigurationFile.absolute(word.value, home: home) : nil
      text +=
        (text.contains("?") ? "&" : "?") + PercentEncoding.encode(word.name) + "="
        + PercentEncoding.encode(value ?? word.value)
    }
    return text
  }

  /// The first line of a file with a secret.
  private func secret(in path: String, line: Int) throws -> String {
    do {
      return try FileHead.secret(path)
    } catch {
      throw file.error("\(error)", line: line, key: key)
    }
  }

  /// `scheme://user@host` with the password after the user.
  private func adding(password: String, to address: String, line: Int) throws -> String {
    guard let start = address.firstRange(of: "://")?.upperBound,
      let at = address[start...].prefix(while: { $0 != "/" && $0 != "?" }).lastIndex(of: "@"),
      !address[start..<at].contains(":")
    else {
      throw file.error(
        "password-file needs an address with a user and no password, such as mqtts://USER@HOST",
        line: line, key: key)
    }
    return address[..<at] + ":" + PercentEncoding.encode(password) + address[at...]
  }
}
