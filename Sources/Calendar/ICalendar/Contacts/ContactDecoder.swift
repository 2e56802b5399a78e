import FencepostGeodesy

/// Decodes the properties of a vCard into a contact.
struct ContactDecoder {
  private let number: Int
  private var uid: String?
  /// True if the card has an identifier.
  var hasUID: Bool { uid?.isEmpty == false }
  private var formattedName = ""
  private var structuredName = ""
  /// The last alternatives for a name: ORG, NICKNAME, EMAIL.
  private var otherName = ""
  private var birthday: Contact.YearlyDay?
  /// Anniversaries with the group that connects Apple's label to its date.
  private var anniversaries: [(group: String, day: Contact.YearlyDay)] = []
  private var labels: [String: String] = [:]
  private var coordinate: Coordinate?
  private var address: String?
  private var broken: [(name: String, value: String)] = []

  /// The most anniversaries of one contact.
  private static let maxAnniversaries = 32

  /// A decoder for the card that begins on line `number`.
  init(number: Int) { self.number = number }

  /// Reads a property. `quoted` is its decoded value if it is quoted-printable.
  mutating func read(_ line: ContentLine, _ quoted: QuotedPrintable.Line? = nil) {
    if let quoted { return read(quoted) }
    read(line.name, Array(line.bytes[line.valueRange]), parameters: line.parameters)
  }

  /// Reads a quoted-printable property.
  mutating func read(_ line: QuotedPrintable.Line) { read(line.name, line.text, parameters: []) }

  private mutating func read(_ name: String, _ value: [UInt8], parameters: [ContentLine.Parameter]) {
    let parts = name.split(separator: ".", maxSplits: 1)
    let (group, property) = parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("", name)
    func text() -> String { TextValue.decode(value[...]) }
    switch property {
    case "UID": uid = uid ?? ContactDecoder.trimmed(text())
    case "FN" where formattedName.isEmpty: formattedName = ContactDecoder.trimmed(text())
    case "N" where structuredName.isEmpty: structuredName = ContactDecoder.name(value)
    case "ORG" where otherName.isEmpty, "NICKNAME" where otherName.isEmpty, "EMAIL" where otherName.isEmpty:
      otherName = ContactDecoder.trimmed(text().split(separator: ";").first.map(String.init) ?? "")
    case "BDAY" where birthday == nil: birthday = day(property, value, parameters)
    case "ANNIVERSARY", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-KADDRESSBOOK-X-ANNIVERSARY":
      addAnniversary("", day(property, value, parameters))
    case "X-ABDATE": addAnniversary(group, day(property, value, parameters))
    case "GEO" where coordinate == nil: coordinate = Self.coordinate(text())
    case "ADR" where address == nil:
      address = Self.address(value)
      // Version 4.0 has the coordinate of an address beside it (RFC 6350, section 5.9).
      coordinate = coordinate ?? parameters.first { $0.name == "GEO" }.flatMap { Self.coordinate($0.value) }
    case "X-ABLABEL" where !group.isEmpty && labels.count < ContactDecoder.maxAnniversaries * 4:
      labels[group] = ContactDecoder.label(text())
    default: break
    }
  }

  private mutating func addAnniversary(_ group: String, _ day: Contact.YearlyDay?) {
    guard let day, anniversaries.count < ContactDecoder.maxAnniversaries,
      // Programs write the same anniversary under several names.
      !anniversaries.contains(where: { $0.group == group && $0.day == day })
    else { return }
    anniversaries.append((group, day))
  }

  /// The contact; `nil` with a warning if it has a day but no name.
  func finish(_ diagnostics: Diagnostics) -> Contact? {
    for (name, value) in broken {
      diagnostics.warn(
        number, "the card that begins here: \(name) '\(value)' is not a valid day")
    }
    let name = [formattedName, structuredName, otherName].first { !$0.isEmpty }
    guard let name else {
      if birthday != nil || !anniversaries.isEmpty {
        diagnostics.warn(number, "the card that begins here has no name: skipped")
      }
      return nil
    }
    var uid = self.uid ?? ""
    if uid.lowercased().hasPrefix("urn:uuid:") { uid = String(uid.dropFirst(9)) }
    if uid.isEmpty { uid = Identity.uid(of: Array(name.utf8)) }
    return Contact(
      uid: uid, name: name, birthday: birthday,
      anniversaries: anniversaries.map { Contact.Anniversary(label: labels[$0.group], day: $0.day) },
      coordinate: coordinate, address: address)
  }

  // MARK: Values

  private mutating func day(
    _ name: String, _ value: [UInt8], _ parameters: [ContentLine.Parameter]
  ) -> Contact.YearlyDay? {
    let text = ContactDecoder.trimmed(TextValue.decode(value[...]))
    guard !text.isEmpty else { return nil }
    var day = ContactDecoder.day(text)
    if let year = day?.year {
      let omitted = parameters.first { $0.name == "X-APPLE-OMIT-YEAR" }.flatMap { Int($0.value) }
      // Apple writes 1604 for no year, with and without the parameter. Others write 0.
      if year == omitted || year == 1604 || year == 0 { day?.year = nil }
    }
    if day == nil && broken.count < 4 { broken.append((name, String(text.prefix(40)))) }
    return day
  }

  /// `1980-04-07`, `19800407`, `--0407`, `--04-07`, each with or without a time after it.
  private static func day(_ text: String) -> Contact.YearlyDay? {
    var bytes = Array(text.utf8)
    if let end = bytes.firstIndex(where: { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: " ") }) {
      bytes.removeSubrange(end...)
    }
    let hasYear = !bytes.starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")])
    let digits = bytes.filter { $0 != UInt8(ascii: "-") }
    guard hasYear ? bytes.first != UInt8(ascii: "-") : true,
      bytes.count - digits.count <= (hasYear ? 2 : 3), digits.count == (hasYear ? 8 : 4),
      digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    return Contact.YearlyDay(
      year: hasYear ? number / 10_000 : nil, month: number / 100 % 100, day: number % 100)
  }

  /// Joins N's parts (family, given, additional, prefix, suffix) in spoken order.
  private static func name(_ value: [UInt8]) -> String {
    let parts = ContentLine.split(value, 0..<value.count, at: UInt8(ascii: ";")).map {
      trimmed(TextValue.decode(value[$0]))
    }
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    return [part(3), part(1), part(2), part(0), part(4)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Reads `geo:46.14,8.91` of version 4.0 and `46.14;8.91` of earlier ones.
  private static func coordinate(_ text: String) -> Coordinate? {
    GeoValue.readURI(ArraySlice(text.utf8))?.coordinate ?? GeoValue.readGEO(text)
  }

  /// Joins ADR's parts (box, rest, street, town, region, code, country) to one line: street, code and town,
  /// region, country.
  private static func address(_ value: [UInt8]) -> String? {
    let parts = ContentLine.split(value, 0..<value.count, at: UInt8(ascii: ";")).map {
      trimmed(TextValue.decode(value[$0]).replacing("\n", with: ", "))
    }
    func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
    let town = [part(5), part(3)].filter { !$0.isEmpty }.joined(separator: " ")
    let lines = [part(0), part(1), part(2), town, part(4), part(6)].filter { !$0.isEmpty }
    return lines.isEmpty ? nil : lines.joined(separator: ", ")
  }

  /// Removes the `_$!<Anniversary>!$_` around Apple's own labels.
  private static func label(_ text: String) -> String? {
    var label = trimmed(text)[...]
    if label.hasPrefix("_$!<"), label.hasSuffix(">!$_"), label.utf8.count >= 8 {
      label = label.dropFirst(4).dropLast(4)
    }
    return label.isEmpty || label.lowercased() == "anniversary" ? nil : String(label)
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace }
    var rest = text[...]
    rest = rest.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(rest)
  }
}

/// Quoted-printable (RFC 2045, section 6.7), the encoding of non-ASCII text in vCard 2.1.
enum QuotedPrintable {
  /// A property with a quoted-printable value, which may continue over several lines.
  struct Line {
    /// The property's name in upper case, with its group.
    let name: String
    private let isLatin: Bool
    private var value: [UInt8]

    /// The longest value, in bytes.
    private static let limit = 1 << 16

    /// `nil` if the line is not quoted-printable.
    init?(_ line: ContentLine) {
      guard !line.parameterRange.isEmpty else { return nil }
      // Version 2.1 may omit the parameter's name.
      let parameters = String(decoding: line.bytes[line.parameterRange], as: UTF8.self).uppercased()
      guard parameters.split(separator: ";").contains(where: { $0.hasSuffix("QUOTED-PRINTABLE") }) else {
        return nil
      }
      name = line.name
      isLatin = parameters.contains("ISO-8859-1") || parameters.contains("WINDOWS-1252")
      value = Array(line.bytes[line.valueRange])
    }

    /// True if the value continues in the next line.
    var isOpen: Bool { value.last == UInt8(ascii: "=") && value.count < Line.limit }

    /// Adds the next line.
    mutating func append(_ bytes: ArraySlice<UInt8>) {
      if value.last == UInt8(ascii: "=") { value.removeLast() }
      value += bytes
    }

    /// The decoded value.
    var text: [UInt8] {
      let bytes = QuotedPrintable.decode(value)
      return isLatin ? Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8) : bytes
    }
  }

  /// Decodes `text`. Bytes that are not escapes stay as they are.
  static func decode(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "="), index + 2 < text.count, let high = digit(text[index + 1]),
        let low = digit(text[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
