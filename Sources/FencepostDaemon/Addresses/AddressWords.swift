import FoundationEssentials
import WebClient

/// An address of a feed or channel, and what stands after its `?`, which is taken word by word by whoever understands it.
struct AddressWords {
  /// One word: `NAME=VALUE`.
  struct Word: Hashable {
    var name: String
    /// Decoded.
    var value: String
    /// As it stands in the address.
    var text: String
  }

  /// The whole address, for messages.
  let address: String
  /// What stands before `?`, a scheme in small letters (RFC 3986, section 3.1).
  let base: String
  /// What nobody has taken yet.
  private(set) var words: [Word] = []

  init(_ address: String) throws(AddressError) {
    self.address = address
    let mark = address.firstIndex(of: "?") ?? address.endIndex
    let scheme = address[..<mark].prefix { $0 != ":" }
    base = scheme.lowercased() + address[scheme.endIndex..<mark]
    guard mark < address.endIndex else { return }
    for text in address[address.index(after: mark)...].split(separator: "&") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = parts.count > 1 ? parts[1] : ""
      guard let name = PercentEncoding.decode(parts[0]), let decoded = PercentEncoding.decode(value) else {
        throw AddressError(address, "'%' is for two hexadecimal digits after it")
      }
      words.append(Word(name: name, value: decoded, text: String(text)))
    }
  }

  /// Takes all words called `name`, and returns what they say.
  mutating func takeAll(_ name: String) -> [String] {
    let values = words.filter { $0.name == name }.map(\.value)
    words.removeAll { $0.name == name }
    return values
  }

  /// Takes the word called `name`; `nil` where there is none.
  mutating func take(_ name: String) throws(AddressError) -> String? {
    let values = takeAll(name)
    guard values.count < 2 else { throw failure("'\(name)' is said twice") }
    return values.first
  }

  /// What is left, as an address.
  var rest: String {
    words.isEmpty ? base : base + "?" + words.map(\.text).joined(separator: "&")
  }

  /// Refuses what nobody has taken.
  func finish(_ known: [String]) throws(AddressError) {
    guard let word = words.first else { return }
    let others =
      switch known.count {
      case 0: "nothing does"
      case 1: "there is \(known[0])"
      default: "there are \(known.joined(separator: ", "))"
      }
    throw failure("'\(word.name)' means nothing here; \(others)")
  }

  /// An error that shows no values, among which there may be secrets.
  func failure(_ advice: String) -> AddressError { AddressError(address, advice) }
}
