import FencepostCalendarModel
import FencepostCommandLineTable

/// The style of a text on a terminal.
enum Ink: Hashable {
  case plain, bold, dim
  /// White on black, whatever the terminal's colours: a QR code.
  case code
  /// Important: overdue.
  case alert
  /// Ongoing.
  case live
  /// In the colour of a list.
  case color(Color)
}

extension Style {
  /// `text` in `ink`, if this style has colours.
  func paint(_ text: String, _ ink: Ink) -> String {
    guard self == .ansi, !text.isEmpty, let code = ink.code else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

extension Ink {
  /// The parameters of SGR (ECMA-48, section 8.3.117).
  fileprivate var code: String? {
    switch self {
    case .plain: nil
    case .bold: "1"
    case .dim: "2"
    case .code: "38;5;231;48;5;16"
    case .alert: "31"
    case .live: "1;32"
    case .color(let color): "38;5;\(color.paletteIndex)"
    }
  }
}

extension Color {
  /// The nearest colour of the 256-colour palette, which nearly all terminals have: six levels of each
  /// component.
  fileprivate var paletteIndex: Int {
    func level(_ part: Double) -> Int {
      let levels = [0, 95, 135, 175, 215, 255]
      let value = Int((min(max(part, 0), 1) * 255).rounded())
      return levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
    }
    return 16 + 36 * level(red) + 6 * level(green) + level(blue)
  }
}
