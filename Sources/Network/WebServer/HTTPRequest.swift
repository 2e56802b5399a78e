/// A complete HTTP request.
public struct HTTPRequest: Sendable {
  /// Method, path, query and headers.
  public var head: HTTPHead
  /// The body.
  public var body: [UInt8]
  /// The authenticated sender; `nil` if the site needs no authentication.
  public var principal: Principal?

  /// A request.
  public init(head: HTTPHead, body: [UInt8] = [], principal: Principal? = nil) {
    self.head = head
    self.body = body
    self.principal = principal
  }

  /// The fields of a form in the body; `nil` if the body is not a form.
  public var form: [HTTPHead.Field]? {
    guard body.contains(0x3D), !body.contains(where: { $0 < 0x20 && $0 != 0x0D && $0 != 0x0A }) else {
      return nil
    }
    let text = String(decoding: body.filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    return HTTPHead.Field.fields(of: text)
  }
}
