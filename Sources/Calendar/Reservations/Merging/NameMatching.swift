/// Decides whether two texts name the same thing: a person, a company, a business, a train.
///
/// Mails of one booking come from airlines, agents and barcodes, and each writes names in its own way.
enum NameMatching {
  /// A text for comparison: letters and digits alone, without accents, with umlauts in either spelling.
  static func folded(_ text: String) -> String {
    let key = PlainText.key(text)
    guard key.utf8.contains(where: { $0 == UInt8(ascii: "e") || $0 >= 0x80 }) else { return key }
    var result = ""
    var last: Character = " "
    for character in key {
      // `ae`, `oe` and `ue` may be umlauts, which the key has without their dots.
      if character == "e", last == "a" || last == "o" || last == "u" {
        last = " "
      } else if character == "ß" {
        result += "ss"
        last = "s"
      } else {
        result.append(character)
        last = character
      }
    }
    return result
  }

  /// The words of a text, folded.
  static func words(_ text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber }.map { folded(String($0)) }
  }

  private static let titles: Set<String> = ["mr", "mrs", "ms", "miss", "dr", "herr", "frau", "mstr", "prof"]

  /// True if both are one person: with titles, in any order of given and family name.
  static func people(_ a: String, _ b: String) -> Bool {
    if a == b { return true }
    func parts(_ text: String) -> [String] { words(text).filter { !titles.contains($0) }.sorted() }
    let (mine, theirs) = (parts(a), parts(b))
    if mine == theirs || mine.joined() == theirs.joined() { return true }
    return withoutTitles(mine, as: theirs) == theirs || withoutTitles(theirs, as: mine) == mine
  }

  /// Barcodes write a title without a blank after the name: `ADAMRS`.
  private static func withoutTitles(_ words: [String], as others: [String]) -> [String] {
    words.map { word in
      let title = titles.first { word.hasSuffix($0) && others.contains(String(word.dropLast($0.count))) }
      return title.map { String(word.dropLast($0.count)) } ?? word
    }.sorted()
  }

  private static let forms: Set<String> = [
    "ag", "gmbh", "se", "sa", "sas", "spa", "srl", "ltd", "limited", "llc", "inc", "co", "plc", "kg", "ohg",
    "bv", "nv", "ab", "as", "oy", "kk", "corp", "corporation", "company", "group", "airlines", "airline",
    "airways", "air", "the", "de", "com", "international",
  ]

  /// True if both are one company: with and without its form, or with its initials.
  static func companies(_ a: String, _ b: String) -> Bool {
    if folded(a) == folded(b) { return true }
    let (mine, theirs) = (Set(words(a)), Set(words(b)))
    return contains(mine.subtracting(forms), theirs.subtracting(forms)) || theirs.contains(initials(a))
      || mine.contains(initials(b))
  }

  private static func initials(_ text: String) -> String {
    let words = words(text).filter { !forms.contains($0) }
    return words.count < 2 ? " " : words.compactMap(\.first).map(String.init).joined()
  }

  /// True if a domain has the name of a company: `lufthansa.example` of `Deutsche Lufthansa AG`. What only contains
  /// the name does not: everybody may own `my-lufthansa.example`.
  static func isDomain(_ domain: String, of company: String) -> Bool {
    let words = words(company)
    let names = Set(words.filter { !forms.contains($0) && $0.utf8.count > 2 })
    var labels = domain.split(separator: ".").dropLast()
    if let last = labels.last, labels.count > 1, last.utf8.count <= 3 { labels.removeLast() }
    guard let label = labels.last.map({ folded(String($0)) }), label.utf8.count > 2 else { return false }
    return names.contains(label) || label == words.joined()
  }

  private static let businessWords: Set<String> = [
    "hotel", "hotels", "restaurant", "ristorante", "the", "gmbh", "and", "und", "am", "im", "by",
  ]

  /// True if both are one hotel, restaurant or event of one booking: with and without `Hotel`, or its town.
  static func businesses(_ a: String, _ b: String) -> Bool {
    if folded(a) == folded(b) { return true }
    return contains(
      Set(words(a)).subtracting(businessWords), Set(words(b)).subtracting(businessWords))
  }

  /// True if the words of one are all in the other.
  private static func contains(_ a: Set<String>, _ b: Set<String>) -> Bool {
    !a.isEmpty && !b.isEmpty && (a.isSubset(of: b) || b.isSubset(of: a))
  }

  private static let prepositions: Set<String> = ["am", "an", "in", "on", "upon", "sur", "bei", "ob"]

  /// True if a station's name begins with its town: `Frankfurt(M) Flughafen` with `Frankfurt am Main`.
  static func isIn(town: String, _ station: String) -> Bool {
    let name = words(town).prefix { !prepositions.contains($0) }
    return !name.isEmpty && words(station).starts(with: name)
  }

  /// True if both are one train: `ICE 13` and `13`, `RE 13 (20070)` and `RE 20070`.
  static func trains(_ a: String, _ b: String) -> Bool {
    let (mine, theirs) = (runs(a), runs(b))
    guard !mine.numbers.isEmpty, !theirs.numbers.isEmpty else { return folded(a) == folded(b) }
    let isOneCategory =
      mine.letters.isEmpty || theirs.letters.isEmpty || !mine.letters.isDisjoint(with: theirs.letters)
    return isOneCategory && !mine.numbers.isDisjoint(with: theirs.numbers)
  }

  /// The runs of digits of a text without leading zeros, and those of letters.
  private static func runs(_ text: String) -> (numbers: Set<String>, letters: Set<String>) {
    var (numbers, letters): (Set<String>, Set<String>) = ([], [])
    var rest = PlainText.spaced(text)[...]
    while let first = rest.first {
      let run = rest.prefix { $0.isNumber == first.isNumber && $0.isLetter == first.isLetter }
      rest = rest.dropFirst(run.count)
      if first.isNumber {
        numbers.insert(String(run.drop { $0 == "0" }))
      } else if first.isLetter {
        letters.insert(String(run))
      }
    }
    return (numbers, letters)
  }
}
