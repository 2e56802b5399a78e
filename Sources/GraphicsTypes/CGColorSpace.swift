/// What the parts of a colour mean (Apple's `CGColorSpace`): grey, sRGB, or the inks of a printer. There are no profiles
/// here, so there are no other spaces.
public final class CGColorSpace: Sendable {
  /// What kind of space it is.
  public let model: CGColorSpaceModel
  /// What it is called.
  public let name: String?

  init(_ model: CGColorSpaceModel, _ name: String) {
    self.model = model
    self.name = name
  }

  /// The space called `name`, one of the names below; `nil` for another one.
  public convenience init?(name: String) {
    switch name {
    case Self.sRGB: self.init(.rgb, name)
    case Self.genericGrayGamma2_2: self.init(.monochrome, name)
    case Self.genericCMYK: self.init(.cmyk, name)
    default: return nil
    }
  }

  /// How many parts a colour has in it, its opacity left out.
  public var numberOfComponents: Int {
    switch model {
    case .monochrome: 1
    case .cmyk: 4
    default: 3
    }
  }

  /// The space of screens and of the web.
  public static let sRGB = "kCGColorSpaceSRGB"
  /// Greys, with nearly the curve of sRGB.
  public static let genericGrayGamma2_2 = "kCGColorSpaceGenericGrayGamma2_2"
  /// Cyan, magenta, yellow and black.
  public static let genericCMYK = "kCGColorSpaceGenericCMYK"

  static let rgb = CGColorSpace(.rgb, sRGB)
  static let gray = CGColorSpace(.monochrome, genericGrayGamma2_2)
  static let cmyk = CGColorSpace(.cmyk, genericCMYK)
}

extension CGColorSpace: Hashable {
  /// By name.
  public static func == (a: CGColorSpace, b: CGColorSpace) -> Bool { a.name == b.name }

  /// By name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The kinds of colour spaces, with Apple's numbers.
public enum CGColorSpaceModel: Int32, Sendable {
  case unknown = -1
  case monochrome = 0
  case rgb, cmyk, lab, deviceN, indexed, pattern, XYZ
}

/// How a colour is brought into another space. All ways are one here.
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
