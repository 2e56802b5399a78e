extension String {
  /// Whether it is a readable name: at most 1,000 bytes, and no control characters.
  var isPlainText: Bool {
    utf8.count <= 1_000 && !unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
