import Testing

@testable import FencepostGeofencing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Sines and cosines of degrees")
struct TrigonometryTests {
  @Test("are exact at right angles")
  func rightAngles() {
    let expected: [(degrees: Double, sine: Double, cosine: Double)] = [
      (-180, 0, -1), (-90, -1, 0), (0, 0, 1), (90, 1, 0), (180, 0, -1),
    ]
    for row in expected {
      let (sines, cosines) = Trigonometry.ofDegrees(SIMD2(row.degrees, row.degrees))
      #expect(sines == SIMD2(row.sine, row.sine))
      #expect(cosines == SIMD2(row.cosine, row.cosine))
    }
  }

  @Test("differ from the C library's by no more than rounding, all round")
  func library() {
    var worst = 0.0
    for step in -9_000...9_000 {
      let degrees = Double(step) / 50 + Double(step % 7) * 1e-9
      let (sines, cosines) = Trigonometry.ofDegrees(SIMD2(degrees, -degrees))
      let radians = degrees * .pi / 180
      worst = max(
        worst, abs(sines.x - sin(radians)), abs(sines.y + sin(radians)), abs(cosines.x - cos(radians)),
        abs(cosines.y - cos(radians)))
    }
    // The library is given radians, which are rounded already.
    #expect(worst < 1e-15)
  }

  @Test("are something for any number")
  func anything() {
    for degrees in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 540, -720] {
      _ = Trigonometry.ofDegrees(SIMD2(degrees, degrees))
    }
    #expect(Trigonometry.ofDegrees(SIMD2(540, -630)).sines == SIMD2(0, 1))
  }
}
