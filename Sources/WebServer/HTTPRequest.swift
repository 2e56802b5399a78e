/// What somebody asked over HTTP, whole.
public struct HTTPRequest: Sendable {
  /// Method, path, query and headers.
  public var head: HTTPHead
  /// The body.
  public var body: [UInt8]
  /// Who signed in; `nil` where nobody needs to.
  public var principal: Principal?

  /// A request.
  public init(head: HTTPHead, body: [UInt8] = [], principal: Principal? = nil) {
    self.head = head
    self.body = body
    self.principal = principal
  }

  /// The fields of a body that is a form; `nil` where it is none.
  public var form: [HTTPHead.Field]? {
    guard body.contains(0x3D), !body.contains(where: { $0 < 0x20 && $0 != 0x0D && $0 != 0x0A }) else {
      return nil
    }
    let text = String(decoding: body.filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    return PercentCoding.fields(text)
  }
}
