/// Addresses of values in a JSON document (RFC 6901).
public enum JSONPointer {
  /// A key as a part of a pointer.
  public static func escaped(_ key: String) -> String {
    guard key.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return key }
    // By scalar: a combining mark after a slash makes another character of it.
    var text = ""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The keys of a pointer without its first slash.
  public static func keys(_ pointer: String) -> [String] {
    pointer.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { part in
      var key = ""
      var isEscaped = false
      for scalar in part {
        switch (isEscaped, scalar) {
        case (true, "0"): key.unicodeScalars.append("~")
        case (true, "1"): key.unicodeScalars.append("/")
        case (true, _):
          key.unicodeScalars.append("~")
          if scalar != "~" { key.unicodeScalars.append(scalar) }
        case (false, "~"): break
        case (false, _): key.unicodeScalars.append(scalar)
        }
        isEscaped = scalar == "~"
      }
      return isEscaped ? key + "~" : key
    }
  }
}
