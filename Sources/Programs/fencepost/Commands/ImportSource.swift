import FencepostSystem
import Glibc

/// The kind of an imported file.
enum ImportSource {
  case calendar, jsCalendar, waypoints, contacts

  /// Detects the kind by the file name, and contacts and JSCalendar also by their first bytes.
  init(_ path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".otrw") {
      self = .waypoints
    } else if name.hasSuffix(".vcf") || name.hasSuffix(".vcard") {
      self = .contacts
    } else {
      let start = ImportSource.start(of: path)
      if start.uppercased() == "BEGIN:VCARD" {
        self = .contacts
      } else if start.hasPrefix("{") {
        self = .jsCalendar
      } else {
        self = .calendar
      }
    }
  }

  private static func start(of path: String) -> String {
    var status = stat()
    // A pipe can be read only once.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let head = FileHead.read(path, upTo: 64)
    else { return "" }
    let start = head.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 == 0x0D || $0 == 0x0A }
    return String(decoding: start.prefix(11), as: UTF8.self)
  }
}
