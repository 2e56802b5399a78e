import FencepostGraphicsTypes
import Foundation
import Testing

@Suite("Colours")
struct CGColorTests {
  @Test("A copy has the same components and its own opacity")
  func copy() throws {
    let green = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
    let faint = try #require(green.copy(alpha: 0.25))
    #expect(faint.components == [0, 1, 0, 0.25])
    #expect(faint.alpha == 0.25 && faint.numberOfComponents == 4)
    #expect(green.alpha == 1)
    #expect(CGColor.white.copy(alpha: 0)?.components == [1, 0])
  }

  @Test("Equality compares components: a grey differs from an sRGB colour that looks the same")
  func equality() {
    let grey = CGColor(gray: 0.5, alpha: 1)
    #expect(grey == CGColor(genericGrayGamma2_2Gray: 0.5, alpha: 1))
    #expect(grey != CGColor(red: 0.5, green: 0.5, blue: 0.5, alpha: 1))
    #expect(grey != CGColor(gray: 0.5, alpha: 0.5))
    let colors: Set = [
      CGColor(red: 1, green: 0, blue: 0, alpha: 1), CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1),
      .black, CGColor(gray: 0, alpha: 1), .clear,
    ]
    #expect(colors.count == 3)
  }

  @Test("A colour of a space has its components and can be converted")
  func spaces() throws {
    let rgb = try #require(CGColor(colorSpace: CGColorSpaceCreateDeviceRGB(), components: [1, 0, 0, 0.5]))
    #expect(rgb == CGColor(red: 1, green: 0, blue: 0, alpha: 0.5))
    #expect(rgb.colorSpace?.model == .rgb && rgb.colorSpace?.name == CGColorSpace.sRGB)
    let gray = try #require(
      rgb.converted(to: CGColorSpaceCreateDeviceGray(), intent: .defaultIntent, options: nil))
    #expect(gray == CGColor(gray: 0.2126, alpha: 0.5))
    #expect(gray.colorSpace?.numberOfComponents == 1)
    let ink = CGColor(genericCMYKCyan: 0, magenta: 1, yellow: 1, black: 0.5, alpha: 1)
    #expect(
      ink.converted(to: CGColorSpaceCreateDeviceRGB(), intent: .perceptual, options: nil)
        == CGColor(red: 0.5, green: 0, blue: 0, alpha: 1))
    #expect(CGColorSpace(name: "none") == nil)
    #expect(CGColorSpace(name: CGColorSpace.sRGB) == CGColorSpaceCreateDeviceRGB())
  }
}
