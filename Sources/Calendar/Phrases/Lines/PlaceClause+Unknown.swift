/// Finds a place that the user has not made yet: `Buy milk at Lidl`.
///
/// Only in a line without a time: nothing but the place would ring then. With a time, the words say where it
/// takes place, and stay in the title: `Dinner tomorrow 7pm at Luigi`.
extension PlaceClause {
  /// Finds it at the end of a line, or at its start before the rest.
  ///
  /// A place has up to three words: capitalized ones, or a kind of place such as `the station` at the end. A name
  /// that ends in `'s` is a person (`at Anna's`), and `in` is too often no place (`in English`).
  static func unknown(in words: [Substring], isAsked: Bool = false) -> PlaceClause? {
    let plain = words.map { $0.lowercased().trimming(",.!?;") }
    guard let first = plain.first, !QuickEntry.questions.contains(first) else { return nil }
    if unknownLeads.contains(first), let name = nameAtStart(words, plain, isAsked: isAsked) {
      return clause(words, name, 0..<name.upperBound)
    }
    // In capitals, `At` is part of a name: `Live At Leeds`.
    for lead in words.indices.dropFirst() where unknownLeads.contains(String(words[lead])) {
      var name = lead + 1..<words.count
      while let word = name.first, name.count > 1, unknownArticles.contains(plain[word]) {
        name.removeFirst()
      }
      guard let last = name.last, name.count <= 3, !attentions.contains(plain[lead - 1]) else { continue }
      let isKind = plain[lead] != "bei" && name.count <= 2 && kinds.contains(plain[last])
      guard isKind || isName(words[name]) else { continue }
      return clause(words, name, lead..<words.count)
    }
    return nil
  }

  /// The name after `at` at the start of a line, if the rest can be what is to be done there: `At Lidl buy bread`.
  private static func nameAtStart(_ words: [Substring], _ plain: [String], isAsked: Bool) -> Range<Int>? {
    let start = plain.dropFirst().firstIndex { !unknownArticles.contains($0) } ?? words.count
    var end = start
    while end < words.count, end - start < (plain[0] == "bei" ? 1 : 3), words[end].first?.isUppercase == true
    {
      end += 1
      if words[end - 1].hasSuffix(",") { break }
    }
    if end == start, plain[0] != "bei", start < words.count, kinds.contains(plain[start]) { end += 1 }
    guard end > start, end < words.count, kinds.contains(plain[end - 1]) || isName(words[start..<end]),
      // `At Google they use it`: a verb, or what is to be done, comes first.
      isAsked || !subjects.contains(plain[end])
    else { return nil }
    return start..<end
  }

  private static func clause(_ words: [Substring], _ name: Range<Int>, _ range: Range<Int>) -> PlaceClause {
    let typed = words[name].joined(separator: " ").trimming(",.!?;")
    return PlaceClause(range: range, name: typed, crossing: .arrive, radius: nil)
  }

  /// Whether words are the name of a place: each capitalized, of letters, and no other thing of that form.
  private static func isName(_ words: ArraySlice<Substring>) -> Bool {
    let names = words.map { $0.trimming(",.!?;") }
    if names.count == 1, let name = names.first {
      let plain = name.lowercased()
      if name.hasSuffix("'s") || name.hasSuffix("’s") || noNames.contains(plain) { return false }
      if DatePhrase.isWeekday(plain) || DatePhrase.isMonth(plain[...]) { return false }
    }
    return names.allSatisfy { name in
      name.first?.isUppercase == true && name.allSatisfy { $0.isLetter || "-'’&".contains($0) }
    }
  }

  private static let unknownLeads: Set<String> = ["at", "near", "bei"]
  private static let unknownArticles: Set<String> = ["the", "my", "our", "der", "dem", "meinem", "meiner"]
  /// What is done at a person or a thing: `look at Anna`, `work at Google`.
  private static let attentions: Set<String> = [
    "look", "looking", "laugh", "shout", "yell", "aim", "smile", "stare", "glance", "wave", "good", "better",
    "best", "bad", "work", "works", "working", "angry", "mad", "point", "hint", "anyone", "someone", "people",
    "everybody", "everyone", "somebody",
  ]
  /// After a name, these say something of it.
  private static let subjects: Set<String> = [
    "i", "we", "you", "he", "she", "they", "it", "there", "there's", "is", "are", "was", "were", "the", "and",
  ]
  /// Capitalized words after `at` or `bei` that are no places.
  private static let noNames: Set<String> = [
    "last", "least", "first", "once", "most", "best", "all", "night", "noon", "midnight", "christmas",
    "easter",
    "xmas", "lunch", "dinner", "breakfast", "will", "i", "gelegenheit", "bedarf", "regen", "schnee", "frost",
    "sturm", "sonne", "sonnenschein", "wind", "hitze", "kälte", "nacht", "tag", "tageslicht", "licht",
    "gewitter",
    "problemen", "fragen", "fieber", "nebel", "wetter", "ankunft", "abfahrt", "abreise", "rückkehr", "beginn",
    "ende", "lieferung", "bestellung", "kauf", "interesse", "tisch",
  ]
}
