import CFencepostQREncode

/// A QR code (ISO/IEC 18004), made by libqrencode.
public struct QRCode: Hashable, Sendable {
  /// The modules on each side, without the light border.
  public let size: Int
  private let modules: [Bool]

  /// The light border that a code needs, in modules.
  public static let border = 4

  /// The code of a text; `nil` if it is longer than a code can be: 2,953 bytes of UTF-8.
  ///
  /// It corrects 7 % of errors (level L), which is enough on a screen and keeps the code small. Cost: some
  /// milliseconds.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let made = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
    defer { QRcode_free(made) }
    let size = Int(made.pointee.width)
    guard let data = made.pointee.data else { return nil }
    self.size = size
    // The lowest bit marks a dark module.
    modules = UnsafeBufferPointer(start: data, count: size * size).map { $0 & 1 == 1 }
  }

  /// Whether a module is dark. Modules outside the code are light.
  public func isDark(x: Int, y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
  }

  /// The code with its border as an SVG picture for a page.
  public var svg: String {
    let whole = size + 2 * Self.border
    var path = ""
    for y in 0..<size {
      var x = 0
      while x < size {
        let start = x
        while isDark(x: x, y: y) { x += 1 }
        if x > start { path += "M\(start + Self.border) \(y + Self.border)h\(x - start)v1h-\(x - start)z" }
        x += 1
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(whole) \(whole)" shape-rendering="crispEdges">\
      <path fill="#fff" d="M0 0h\(whole)v\(whole)h-\(whole)z"/><path d="\(path)"/></svg>
      """
  }

  /// The code with its border as lines for a terminal with light text on a dark background. Each character is
  /// two modules, one above the other.
  public var lines: [String] {
    let range = -Self.border..<size + Self.border
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
      String(
        range.map { x -> Character in
          // Below the last row there is nothing.
          switch (isDark(x: x, y: y), isDark(x: x, y: y + 1) || y + 1 >= range.upperBound) {
          case (false, false): "█"
          case (false, true): "▀"
          case (true, false): "▄"
          case (true, true): " "
          }
        })
    }
  }
}
