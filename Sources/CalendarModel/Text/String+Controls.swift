extension String {
  /// This text on one line, with nothing in it that a terminal obeys: a blank stands for each control character (Unicode's
  /// general category Cc).
  public var withoutControls: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }))
  }
}
