public import Foundation

/// A colour (Apple's `CGColor`): three components are sRGB, one is grey, four are printer inks.
///
/// Apple compares this class by value too. It is immutable and final, so it is `Sendable`.
public final class CGColor: Sendable {
  /// The meaning of the components.
  public let colorSpace: CGColorSpace?
  /// The components, each 0 to 1, opacity last: four for sRGB, two for grey.
  public let components: [CGFloat]?

  private init(_ space: CGColorSpace, _ parts: [CGFloat]) {
    colorSpace = space
    components = parts
  }

  /// An sRGB colour, each component 0 to 1.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(.rgb, [red, green, blue, alpha])
  }

  /// An sRGB colour, each component 0 to 1.
  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(.rgb, [red, green, blue, alpha])
  }

  /// A grey, both components 0 to 1.
  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(.gray, [gray, alpha])
  }

  /// A grey, both components 0 to 1.
  public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
    self.init(.gray, [gray, alpha])
  }

  /// A colour of four inks, each component 0 to 1.
  public convenience init(
    genericCMYKCyan cyan: CGFloat, magenta: CGFloat, yellow: CGFloat, black: CGFloat, alpha: CGFloat
  ) {
    self.init(.cmyk, [cyan, magenta, yellow, black, alpha])
  }

  /// A colour in a colour space.
  ///
  /// - Parameter components: One number for each component of `space`, then the opacity. You can pass an
  ///   array.
  public convenience init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
    self.init(space, Array(UnsafeBufferPointer(start: components, count: space.numberOfComponents + 1)))
  }

  /// The number of ``components``, opacity included.
  public var numberOfComponents: Int { components?.count ?? 0 }

  /// The opacity, 0 to 1.
  public var alpha: CGFloat { components?.last ?? 1 }

  /// The same colour with another opacity.
  public func copy(alpha: CGFloat) -> CGColor? {
    CGColor(colorSpace ?? .rgb, (components ?? []).dropLast() + [alpha])
  }

  /// Converts the colour to another space, without profiles: a grey is the luma of Rec. 709, and inks
  /// subtract light.
  ///
  /// - Returns: `nil` for ink spaces; there is no conversion to inks.
  public func converted(
    to space: CGColorSpace, intent: CGColorRenderingIntent, options: [AnyHashable: Any]?
  ) -> CGColor? {
    if space == colorSpace { return self }
    let (red, green, blue) = rgb
    switch space.model {
    case .rgb: return CGColor(space, [red, green, blue, alpha])
    case .monochrome: return CGColor(space, [0.2126 * red + 0.7152 * green + 0.0722 * blue, alpha])
    default: return nil
    }
  }

  /// The red, green and blue of the colour.
  private var rgb: (CGFloat, CGFloat, CGFloat) {
    let parts = components ?? []
    switch parts.count {
    case 2: return (parts[0], parts[0], parts[0])
    case 4: return (parts[0], parts[1], parts[2])
    case 5:
      let light = 1 - parts[3]
      return ((1 - parts[0]) * light, (1 - parts[1]) * light, (1 - parts[2]) * light)
    default: return (0, 0, 0)
    }
  }

  /// Black.
  public static let black = CGColor(gray: 0, alpha: 1)
  /// White.
  public static let white = CGColor(gray: 1, alpha: 1)
  /// Transparent.
  public static let clear = CGColor(gray: 0, alpha: 0)
}

extension CGColor: Hashable {
  /// Compares components and colour spaces.
  public static func == (a: CGColor, b: CGColor) -> Bool {
    a.components == b.components && a.colorSpace == b.colorSpace
  }

  /// Hashes the components.
  public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}
