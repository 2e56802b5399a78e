import FencepostCalDAV
import FencepostXML

/// The responses of an answer, which is built in memory and so has a limit.
struct ResponseList {
  private(set) var all: [Multistatus.Response] = []
  private var bytes = 0
  private let deadline = ContinuousClock.now + .seconds(20)
  /// The most bytes of all texts.
  static let maximumBytes = 64 << 20

  /// DAVRequest it before something that takes time.
  ///
  /// - Throws: ``DAVRefusal`` if the answer has taken too long: others wait for the worker, and for the end
  ///   of the transaction.
  func checkTime() throws {
    guard ContinuousClock.now < deadline else {
      throw DAVRefusal(
        .dav("number-of-matches-within-limits"), status: 507,
        "the answer takes too long; ask for fewer objects")
    }
  }

  /// - Throws: ``DAVRefusal`` if the answer is too long.
  mutating func append(_ response: Multistatus.Response) throws {
    bytes += response.propstats.reduce(0) { $0 + $1.properties.reduce(0) { $0 + $1.size } }
    guard bytes <= Self.maximumBytes else {
      throw DAVRefusal(
        .dav("number-of-matches-within-limits"), status: 507, "the answer is too long; ask for fewer objects")
    }
    all.append(response)
  }
}

extension XMLElement {
  /// The bytes of the texts in it.
  fileprivate var size: Int {
    children.reduce(0) { sum, child in
      switch child {
      case .text(let text): sum + text.utf8.count
      case .element(let element): sum + element.size
      }
    }
  }
}
