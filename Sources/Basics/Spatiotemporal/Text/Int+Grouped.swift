extension Int {
  /// The digits in groups of three: `1,000,000`.
  public var grouped: String {
    var text = String(magnitude)
    var end = text.utf8.count - 3
    while end > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: end))
      end -= 3
    }
    return (self < 0 ? "-" : "") + text
  }
}
