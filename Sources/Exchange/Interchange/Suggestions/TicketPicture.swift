public import FencepostReservations
import FencepostSystem

/// Draws the barcodes of tickets with `zint`, where it is installed.
public struct TicketPicture: Hashable, Sendable {
  private let path: String

  /// The most seconds and bytes of a picture.
  private static let timeout = 5.0
  private static let maximumOutput = 4 << 20

  /// The installed program, or `nil`. Debian has it in `zint`.
  ///
  /// - Parameter path: The folders of `PATH`, with colons between them.
  public static func installed(path: String?) -> TicketPicture? {
    let folders = (path ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    return (folders + ["/usr/bin"]).map { "\($0)/zint" }.first(where: ChildProgram.canRun).map(
      TicketPicture.init)
  }

  /// The barcode as SVG; `nil` if it can't be drawn.
  ///
  /// Cost: some hundredths of a second.
  public func svg(_ code: TicketCode) -> String? {
    let form =
      switch code.form {
      case .aztec: "AZTEC"
      case .pdf417: "PDF417"
      case .qr: "QRCODE"
      case .code128: "CODE128"
      case .dataMatrix: "DATAMATRIX"
      }
    var program = ChildProgram(
      path: path,
      arguments: [
        "--direct", "--filetype=SVG", "--barcode=\(form)", "--quietzones", "--data=\(code.message)",
      ])
    program.inheritsEnvironment = false
    program.variables = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    program.memory = 512 << 20
    guard !code.message.utf8.contains(0),
      let answer = try? program.ask(input: [], timeout: Self.timeout, most: Self.maximumOutput),
      answer.ending == .exited(0)
    else { return nil }
    let svg = String(decoding: answer.output, as: UTF8.self)
    return svg.contains("<svg") ? svg : nil
  }
}
