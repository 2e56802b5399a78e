/// Interprets the many spellings of zone names.
enum TimeZoneName {
  /// The system's names that `name` may mean, the likeliest first.
  static func candidates(for name: String) -> [String] {
    guard !name.isEmpty, name.utf8.count <= 256 else { return [] }
    var names = [name]
    let trimmed = trimming(name)
    if trimmed != name { names.append(trimmed) }
    // Some Windows names end in a number.
    if let mapped = windowsZones[trimmed] ?? windowsZones[name] { names.append(mapped) }
    // Some programs put a path before the name. Use the longest suffix that the system knows.
    let parts = trimmed.split(separator: "/", omittingEmptySubsequences: true)
    if parts.count >= 2 {
      for start in max(trimmed.hasPrefix("/") ? 0 : 1, parts.count - 3)..<(parts.count - 1) {
        names.append(parts[start...].joined(separator: "/"))
      }
      // `/usr/share/zoneinfo/UTC` and similar. A last part alone, like `Berlin`, is not a zone name.
      if let last = parts.last, isUTC(String(last)) { names.append("UTC") }
      if parts.dropLast().last == "zoneinfo", let last = parts.last { names.append(String(last)) }
    }
    return names
  }

  /// Removes quotation marks, surrounding blanks and a final number (`Europe/Berlin 1`).
  private static func trimming(_ name: String) -> String {
    var text = name[...]
    while let first = text.first, first == "\"" || first == " " { text.removeFirst() }
    while let last = text.last, last == "\"" || last == " " { text.removeLast() }
    let number = text.reversed().prefix { $0.isASCII && $0.isNumber }.count
    if number > 0, number <= 3, text.dropLast(number).last == " " {
      text = text.dropLast(number + 1)
    }
    return String(text)
  }

  /// Whether it is a safe file name below the directory: it does not leave the directory or name a tree with leap
  /// seconds.
  static func isSafe(_ name: String) -> Bool {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= 64 else { return false }
    let plain = bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "/"):
        true
      default: false
      }
    }
    guard plain else { return false }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 3, parts.allSatisfy({ !$0.isEmpty }) else { return false }
    return parts[0] != "right" && parts[0] != "posix" && name != "posixrules" && name != "localtime"
  }

  /// Whether it is a name of UTC, which needs no data.
  static func isUTC(_ name: String) -> Bool {
    ["UTC", "Z", "GMT", "Etc/UTC", "Etc/GMT", "UCT", "Zulu"].contains(name.uppercased())
      || name == "Etc/UTC" || name == "Etc/GMT"
  }

  /// Seconds east of UTC for names like `UTC+02:00`, `GMT-0330` and `+01:00`; `nil` for others.
  static func fixedOffset(_ name: String) -> Int? {
    var text = name.uppercased()[...]
    if text.hasPrefix("UTC") || text.hasPrefix("GMT") { text.removeFirst(3) }
    guard let sign = text.popFirst(), sign == "+" || sign == "-" else { return nil }
    let digits = text.filter { $0 != ":" }
    guard digits.utf8.count == text.utf8.count || text.dropFirst(2).first == ":",
      digits.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int(digits)
    else { return nil }
    let (hour, minute): (Int, Int)
    switch digits.count {
    case 1, 2: (hour, minute) = (value, 0)
    case 3, 4: (hour, minute) = (value / 100, value % 100)
    default: return nil
    }
    guard hour <= 18, minute < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (hour * 3600 + minute * 60)
  }
}
