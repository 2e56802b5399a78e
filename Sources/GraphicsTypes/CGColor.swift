public import Foundation

/// A colour (Apple's `CGColor`), always in sRGB or grey.
///
/// A final class as on Apple's systems, where it is compared by value; it never changes, so it is `Sendable`.
public final class CGColor: Sendable {
  /// The parts, each 0 to 1, opacity last: four for sRGB, two for grey.
  public let components: [CGFloat]?

  private init(parts: [CGFloat]) {
    components = parts
  }

  /// A colour of sRGB, each part 0 to 1.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(parts: [red, green, blue, alpha])
  }

  /// A colour of sRGB, each part 0 to 1.
  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(parts: [red, green, blue, alpha])
  }

  /// A grey, both parts 0 to 1.
  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(parts: [gray, alpha])
  }

  /// A grey, both parts 0 to 1.
  public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
    self.init(parts: [gray, alpha])
  }

  /// How many ``components`` there are, opacity included.
  public var numberOfComponents: Int { components?.count ?? 0 }

  /// The opacity, 0 to 1.
  public var alpha: CGFloat { components?.last ?? 1 }

  /// The same colour with another opacity.
  public func copy(alpha: CGFloat) -> CGColor? {
    CGColor(parts: (components ?? []).dropLast() + [alpha])
  }

  /// Black.
  public static let black = CGColor(gray: 0, alpha: 1)
  /// White.
  public static let white = CGColor(gray: 1, alpha: 1)
  /// No colour at all.
  public static let clear = CGColor(gray: 0, alpha: 0)
}

extension CGColor: Hashable {
  /// By parts.
  public static func == (a: CGColor, b: CGColor) -> Bool { a.components == b.components }

  /// By parts.
  public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}
