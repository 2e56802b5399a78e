import Glibc

extension Double {
  /// The cosine of this number of degrees.
  var cosineOfDegrees: Double { cos(self * .pi / 180) }
}
