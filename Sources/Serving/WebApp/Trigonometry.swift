import Glibc

extension Double {
  /// The cosine of an angle in degrees.
  var cosineOfDegrees: Double { cos(self * .pi / 180) }
}
