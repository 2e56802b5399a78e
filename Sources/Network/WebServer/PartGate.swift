/// A gate for a part of a site, so that it has a queue of its own.
public struct PartGate<Inner: HTTPGate>: HTTPGate {
  private let inner: Inner
  private let contains: @Sendable (HTTPHead) -> Bool

  /// The part of `inner` whose requests `contains` returns true for.
  public init(of inner: Inner, contains: @escaping @Sendable (HTTPHead) -> Bool) {
    self.inner = inner
    self.contains = contains
  }

  /// Whether the request is of this part.
  public func claims(_ head: HTTPHead) -> Bool { contains(head) && inner.claims(head) }

  /// The decision of the whole site.
  public func admit(_ head: HTTPHead) -> HTTPAdmission { inner.admit(head) }

  /// The limit of the whole site.
  public var bodyLimit: Int { inner.bodyLimit }

  /// The response of the whole site.
  public var tooLarge: HTTPResponse { inner.tooLarge }
}
