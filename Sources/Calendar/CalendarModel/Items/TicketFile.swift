/// A file that is a ticket: what a person shows at the gate or the door. It is kept as it came.
public struct TicketFile: Hashable, Sendable {
  /// What kind of file it is. It follows from the first bytes, not from what the sender says.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case pdf
    /// A Wallet pass.
    case pass = "pkpass"
    /// Several Wallet passes in one file.
    case passes = "pkpasses"

    /// Its media type.
    public var mediaType: String {
      switch self {
      case .pdf: "application/pdf"
      case .pass: "application/vnd.apple.pkpass"
      case .passes: "application/vnd.apple.pkpasses"
      }
    }
  }

  /// What kind of file it is.
  public let kind: Kind
  /// Its name, without folders and control characters, and with the ending of its kind.
  public let name: String
  /// Its bytes.
  public let content: [UInt8]

  /// The most bytes of a file. Tickets have some hundred thousand at most.
  public static let maximumBytes = 4 << 20
  /// The longest name, in characters.
  private static let maximumName = 100

  /// A file; `nil` if it is too long, or no file of its kind.
  ///
  /// - Parameter name: The name that the sender gave it, or none.
  public init?(_ kind: Kind, name: String?, content: [UInt8]) {
    let isKind =
      kind == .pdf
      ? content.prefix(1_024).firstRange(of: "%PDF-".utf8) != nil : content.starts(with: [0x50, 0x4B, 3, 4])
    guard isKind, content.count <= Self.maximumBytes else { return nil }
    self.init(saved: kind, name: Self.plain(name ?? "", kind), content: content)
  }

  /// A file that was checked before.
  public init(saved kind: Kind, name: String, content: [UInt8]) {
    self.kind = kind
    self.name = name
    self.content = content
  }

  /// A name that is safe in every folder and header.
  private static func plain(_ name: String, _ kind: Kind) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let scalars = last.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
      default: !"\"<>|:*?".unicodeScalars.contains(scalar)
      }
    }
    var text = String(String.UnicodeScalarView(scalars))
    if text.lowercased().hasSuffix("." + kind.rawValue) {
      text = String(text.dropLast(kind.rawValue.count + 1))
    }
    while let first = text.first, first == "." || first == " " || first == "-" { text.removeFirst() }
    text = String(text.prefix(maximumName))
    return (text.isEmpty ? "ticket" : text) + "." + kind.rawValue
  }
}
