import FencepostJSON

/// The text of a settings file with changed settings. Nothing else of it changes: comments, order and
/// indentation stay.
enum SettingsText {
  /// What becomes of a setting. Values are JSON.
  enum Change {
    /// It gets this value.
    case value(String)
    /// It goes, so that its default counts.
    case none
    /// Its list gets this member more, as the last one.
    case added(String)
    /// Its list loses a member, by its place from 0.
    case removed(at: Int)
  }

  /// A file with these settings more.
  ///
  /// - Parameters:
  ///   - members: The keys and their values as JSON.
  ///   - text: The file's text; `nil` for a new file.
  /// - Returns: `nil` if the text has no object to add to.
  static func adding(_ members: [(key: String, value: String)], to text: String?) -> String? {
    let lines = members.map { "  \"\($0.key)\": \($0.value)" }
    guard let text else {
      return
        "// The settings of fencepost(1); 'fencepost config' shows them, and 'fencepost config --check' finds"
        + " mistakes.\n{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }
    guard let object = object(of: text) else { return nil }
    let start = object.start + 1
    let bytes = Array(text.utf8)
    let more = "\n" + lines.joined(separator: ",\n") + (object.parts.isEmpty ? "\n" : ",")
    return String(decoding: bytes[..<start] + more.utf8 + bytes[start...], as: UTF8.self)
  }

  /// A file with one setting changed.
  ///
  /// - Parameter text: The file's text; `nil` for a new file.
  /// - Returns: `nil` if the text is no settings file, or the setting has no such list or member.
  static func changing(_ key: String, _ change: Change, in text: String?) -> String? {
    guard let text else {
      switch change {
      case .value(let value): return adding([(key, value)], to: nil)
      case .added(let value): return adding([(key, "[\(value)]")], to: nil)
      case .none, .removed: return nil
      }
    }
    guard let object = object(of: text) else { return nil }
    var bytes = Array(text.utf8)
    let name = Array("\"\(key)\"".utf8)
    guard let place = object.parts.firstIndex(where: { bytes[$0].starts(with: name) }) else {
      switch change {
      case .value(let value): return adding([(key, value)], to: text)
      case .added(let value): return adding([(key, "[\(value)]")], to: text)
      case .none: return text
      case .removed: return nil
      }
    }
    var scanner = SettingsScanner(bytes)
    scanner.position = object.parts[place].lowerBound + name.count
    scanner.skip(past: UInt8(ascii: ":"))
    let start = scanner.position
    switch change {
    case .value(let value): bytes.replaceSubrange(start..<object.parts[place].upperBound, with: value.utf8)
    case .none: object.remove(place, from: &bytes)
    case .added(let value):
      guard let list = scanner.container(), bytes[list.start] == UInt8(ascii: "[") else { return nil }
      if let last = list.parts.last {
        bytes.insert(contentsOf: ", \(value)".utf8, at: last.upperBound)
      } else {
        bytes.insert(contentsOf: value.utf8, at: list.start + 1)
      }
    case .removed(let index):
      guard let list = scanner.container(), list.parts.indices.contains(index) else { return nil }
      list.remove(index, from: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func object(of text: String) -> SettingsScanner.Container? {
    let bytes = Array(text.utf8)
    guard (try? JSONValue(readingCommented: bytes, maxDepth: 8))?.members != nil else { return nil }
    var scanner = SettingsScanner(bytes)
    return scanner.container()
  }
}

/// Finds where the parts of a settings file are. The text was parsed before: it is JSON with comments.
private struct SettingsScanner {
  /// An object or a list.
  struct Container {
    /// The place of its opening bracket.
    let start: Int
    /// Its members, without commas, and without the comments around them.
    var parts: [Range<Int>]
    /// The places of its commas.
    var commas: [Int]

    /// Removes a member with its comma, and with its line if nothing else is there.
    func remove(_ index: Int, from bytes: inout [UInt8]) {
      var (from, until) = (parts[index].lowerBound, parts[index].upperBound)
      if index < commas.count {
        until = commas[index] + 1
      } else if index > 0 {
        // The one before it becomes the last one.
        let comma = commas[index - 1]
        if bytes[(comma + 1)..<from].allSatisfy({ $0 == 0x20 }) { from = comma + 1 }
        bytes.remove(at: comma)
        (from, until) = (from - 1, until - 1)
      }
      func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
      while until < bytes.count, isBlank(bytes[until]) { until += 1 }
      var lineStart = from
      while lineStart > 0, isBlank(bytes[lineStart - 1]) { lineStart -= 1 }
      let isWholeLine =
        lineStart > 0 && bytes[lineStart - 1] == 0x0A && until < bytes.count && bytes[until] == 0x0A
      bytes.removeSubrange(isWholeLine ? lineStart..<until + 1 : from..<until)
    }
  }

  private let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Skips spaces, comments, one `mark`, and what of that follows it.
  mutating func skip(past mark: UInt8) {
    skipSpace()
    if position < bytes.count, bytes[position] == mark { position += 1 }
    skipSpace()
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      if bytes[position...].starts(with: Array("//".utf8)) {
        position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
      } else if bytes[position...].starts(with: Array("/*".utf8)) {
        position = bytes[(position + 2)...].firstRange(of: Array("*/".utf8))?.upperBound ?? bytes.count
      } else if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  /// The object or list that begins here, perhaps after comments; ends behind it.
  mutating func container() -> Container? {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "{") || bytes[position] == UInt8(ascii: "[")
    else { return nil }
    var found = Container(start: position, parts: [], commas: [])
    position += 1
    while true {
      skipSpace()
      guard position < bytes.count else { return nil }
      switch bytes[position] {
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        position += 1
        return found
      case UInt8(ascii: ","):
        found.commas.append(position)
        position += 1
      case UInt8(ascii: ":"):
        position += 1
      default:
        let start = position
        guard skipValue() else { return nil }
        // A value after a key belongs to the member of the key.
        if let key = found.parts.last, key.lowerBound >= (found.commas.last ?? found.start) {
          found.parts[found.parts.count - 1] = key.lowerBound..<position
        } else {
          found.parts.append(start..<position)
        }
      }
    }
  }

  private mutating func skipValue() -> Bool {
    switch bytes[position] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return container() != nil
    case UInt8(ascii: "\""):
      position += 1
      while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
        position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      position += 1
      return position <= bytes.count
    default:
      let start = position
      while position < bytes.count, !" \t\r\n,:{}[]/\"".utf8.contains(bytes[position]) { position += 1 }
      return position > start
    }
  }
}
