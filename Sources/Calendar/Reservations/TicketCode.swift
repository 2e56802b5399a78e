/// The barcode of a ticket: what a scanner at the gate reads.
public struct TicketCode: Hashable, Sendable {
  /// The form of the picture.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    case aztec, pdf417, qr, code128, dataMatrix

    /// Its name, for people.
    public var name: String {
      switch self {
      case .aztec: "Aztec"
      case .pdf417: "PDF417"
      case .qr: "QR"
      case .code128: "Code 128"
      case .dataMatrix: "Data Matrix"
      }
    }
  }

  /// The form of the picture.
  public var form: Form
  /// The text in it.
  public var message: String

  /// The longest text, in characters: no form holds more digits.
  private static let maximumCharacters = 7_100

  /// A barcode; `nil` for an empty or too long text.
  public init?(_ form: Form, _ message: String) {
    guard !message.isEmpty, message.utf8.count <= Self.maximumCharacters else { return nil }
    self.form = form
    self.message = message
  }

  /// Reads a `ticketToken` as KItinerary writes it: `aztecCode:M1…`. Tokens with bytes in Base64 are left out.
  init?(token: String) {
    guard let colon = token.firstIndex(of: ":") else { return nil }
    let name = PlainText.key(String(token[..<colon]))
    let message = String(token[token.index(after: colon)...])
    let forms: [String: Form] = [
      "azteccode": .aztec, "aztec": .aztec, "pdf417": .pdf417, "pdf417code": .pdf417, "qrcode": .qr,
      "qr": .qr,
      "barcode128": .code128, "code128": .code128, "datamatrix": .dataMatrix,
    ]
    guard let form = forms[name] else { return nil }
    self.init(form, message)
  }

  /// Its `ticketToken`.
  var token: String {
    let name =
      switch form {
      case .aztec: "aztecCode"
      case .pdf417: "pdf417"
      case .qr: "qrCode"
      case .code128: "barcode128"
      case .dataMatrix: "dataMatrix"
      }
    return "\(name):\(message)"
  }
}
