/// The meaning of a colour's components (Apple's `CGColorSpace`): grey, sRGB or printer inks. Profiles are
/// not supported, so there are no other spaces.
public final class CGColorSpace: Sendable {
  /// The kind of space.
  public let model: CGColorSpaceModel
  /// The name of the space.
  public let name: String?

  init(_ model: CGColorSpaceModel, _ name: String) {
    self.model = model
    self.name = name
  }

  /// The space with one of the names below; `nil` for any other name.
  public convenience init?(name: String) {
    switch name {
    case Self.sRGB: self.init(.rgb, name)
    case Self.genericGrayGamma2_2: self.init(.monochrome, name)
    case Self.genericCMYK: self.init(.cmyk, name)
    default: return nil
    }
  }

  /// The number of components, without the opacity.
  public var numberOfComponents: Int {
    switch model {
    case .monochrome: 1
    case .cmyk: 4
    default: 3
    }
  }

  /// The space of screens and the web.
  public static let sRGB = "kCGColorSpaceSRGB"
  /// Greys, with almost the same curve as sRGB.
  public static let genericGrayGamma2_2 = "kCGColorSpaceGenericGrayGamma2_2"
  /// Cyan, magenta, yellow and black.
  public static let genericCMYK = "kCGColorSpaceGenericCMYK"

  static let rgb = CGColorSpace(.rgb, sRGB)
  static let gray = CGColorSpace(.monochrome, genericGrayGamma2_2)
  static let cmyk = CGColorSpace(.cmyk, genericCMYK)
}

extension CGColorSpace: Hashable {
  /// Compares names.
  public static func == (a: CGColorSpace, b: CGColorSpace) -> Bool { a.name == b.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The kinds of colour spaces, with Apple's numbers.
public enum CGColorSpaceModel: Int32, Sendable {
  case unknown = -1
  case monochrome = 0
  case rgb, cmyk, lab, deviceN, indexed, pattern, XYZ
}

/// How to convert a colour to another space. All intents give the same result here.
public enum CGColorRenderingIntent: Int32, Sendable {
  case defaultIntent = 0
  case absoluteColorimetric, relativeColorimetric, perceptual, saturation
}

/// sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { .rgb }

/// Greys.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { .gray }

/// Cyan, magenta, yellow and black.
public func CGColorSpaceCreateDeviceCMYK() -> CGColorSpace { .cmyk }
