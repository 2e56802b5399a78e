/// Texts for people in their language. Texts are written in English where they are used, and a table has those of
/// another language, as in the web app.
public struct Texts: Sendable {
  private let table: [String: String]
  /// The texts of the table with values in them.
  let forms: [Form]

  /// English.
  public static let english = Texts([:])

  /// The texts of a table from English.
  public init(_ table: [String: String]) {
    self.table = table
    forms = table.compactMap { Form($0.key, $0.value) }.sorted {
      ($0.weight, $0.other) < ($1.weight, $1.other)
    }
  }

  /// Whether texts stay as they are.
  var isEnglish: Bool { table.isEmpty }

  /// The text for a whole English one; `nil` if the table lacks it.
  func known(_ text: String) -> String? { table[text] }

  /// The text in the reader's language; English if the table lacks it. `{name}` is replaced by its value.
  public func callAsFunction(_ text: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
    var text = table[text] ?? text
    for (name, value) in values { text = text.replacing("{\(name)}", with: value) }
    return text
  }

  /// The text for a key that is not English, because the English word means other things too (`May`).
  public func named(_ key: String, otherwise english: String) -> String { table[key] ?? english }
}
