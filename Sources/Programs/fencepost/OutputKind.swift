import FencepostCommandLineTable
import FencepostSystem
import Glibc

/// What a command writes into a file that the user names. It replaces a file only if this program made that one, of
/// the same kind; else the user has to say `--force`.
enum OutputKind {
  case calendar, jsCalendar, page, drawing, manual

  /// What the first bytes of such a file contain.
  private var mark: String {
    switch self {
    case .calendar: "\nPRODID:-//Fencepost//"
    case .jsCalendar: #""uid":"fencepost-items""#
    case .page: #"<meta name="generator" content="Fencepost">"#
    case .drawing: "<!-- Fencepost -->"
    case .manual: "\n.Dt FENCEPOST"
    }
  }

  /// The name of such a file.
  private var name: String {
    switch self {
    case .calendar, .jsCalendar: "an export of fencepost"
    case .page: "a map of fencepost"
    case .drawing: "a picture of fencepost"
    case .manual: "a manual page of fencepost"
    }
  }

  /// Checks that a file may be replaced: it is not there, is empty, or is of this kind. Pipes and devices are not
  /// replaced, but written to.
  ///
  /// - Throws: ``UsageError`` that says what to do.
  func check(_ path: String, _ parsed: ParsedCommand<Action>) throws {
    var status = stat()
    guard !parsed.flag(.force), stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0
    else { return }
    let head = FileHead.read(path, upTo: 4_096) ?? []
    guard !String(decoding: head, as: UTF8.self).replacing("\r\n", with: "\n").contains(mark) else { return }
    throw parsed.misuse(
      "'\(path)' is there and is not \(name); name another file, or replace it with --force")
  }
}

extension FencepostTable {
  static let force = Option.flag(.force, "Replace the file also if fencepost did not make it")
}
