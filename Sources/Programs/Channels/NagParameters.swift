import FencepostActions
import FencepostAddresses
import FencepostPhrases

extension Nag {
  /// The parameters.
  static let words = ["nag", "nag-times"]

  /// Takes `nag=SPAN` and `nag-times=N`; `nil` without `nag`.
  init?(taking words: inout AddressParameters) throws(AddressError) {
    let most = try words.takeNumber("nag-times", in: 1...Self.maximumMost, otherwise: Self.usualMost)
    guard let text = try words.take("nag") else { return nil }
    guard let seconds = try? SpanPhrase.seconds(text), Self.range.contains(seconds)
    else {
      throw words.failure("'nag' is a time from 1m to 1d, such as nag=5m")
    }
    self.init(every: seconds, atMost: most)
  }
}
