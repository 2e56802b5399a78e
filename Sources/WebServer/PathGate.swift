/// A gate for the part of a site below a path, so that it has a queue of its own.
public struct PathGate<Inner: HTTPGate>: HTTPGate {
  private let path: String
  private let inner: Inner

  /// The part of `inner` below `path`.
  public init(path: String, inner: Inner) {
    self.path = path
    self.inner = inner
  }

  /// Whether the path is below this one.
  public func claims(_ head: HTTPHead) -> Bool {
    let path = head.path
    return (path == self.path || path.hasPrefix(self.path + "/")) && inner.claims(head)
  }

  /// The decision of the whole site.
  public func admit(_ head: HTTPHead) -> HTTPAdmission { inner.admit(head) }

  /// The limit of the whole site.
  public var bodyLimit: Int { inner.bodyLimit }

  /// The response of the whole site.
  public var tooLarge: HTTPResponse { inner.tooLarge }
}
