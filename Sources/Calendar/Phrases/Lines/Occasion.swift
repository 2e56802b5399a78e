/// What a line is about, if that says the half of the day: `dinner at 8` is in the evening, `lunch at 1:30` after
/// noon.
///
/// It only decides hours that are said without a half of the day: `dinner at 8am` and `dinner at 08:00` are exact.
enum Occasion {
  /// Waking and breakfast.
  case morning
  /// The way to school.
  case school
  case lunch
  /// Dinner, parties, cinema, and so on.
  case evening

  /// The occasion of a line; `nil` if it has none, or only mentions one: `buy party hats at 9`.
  init?(_ words: [Substring]) {
    let plain = words.map { $0.lowercased().trimming(",.!?;:") }
    if let at = plain.firstIndex(where: { Occasion.isEvening($0) || Occasion.lunches.contains($0) }) {
      guard Occasion.isHead(at, plain, words) else { return nil }
      self = Occasion.isEvening(plain[at]) ? .evening : .lunch
    } else if let at = plain.indices.dropFirst().first(where: {
      plain[$0] != "morning" && Occasion.isNamedPart(plain[$0], after: plain[$0 - 1])
    }) {
      guard Occasion.isHead(at, plain, words) else { return nil }
      self = .evening
    } else if Occasion.isEarly(plain) {
      self = .morning
    } else if let at = plain.firstIndex(where: Occasion.schools.contains), at > 0,
      ["to", "zur", "in", "zum", "die", "den"].contains(plain[at - 1])
    {
      self = .school
    } else {
      return nil
    }
  }

  /// Whether a word names a meal or an evening, so that a number before it is an hour: `tonight 8 film`.
  static func isName(_ word: Substring) -> Bool {
    let plain = word.lowercased().trimming(",.!?;:")
    // `8 drinks` are eight.
    return isEvening(plain) && plain != "drinks" || lunches.contains(plain) || early.contains(plain)
  }

  /// Whether a part of the day is the name of what takes place, with the word before it: `game night`.
  static func isNamedPart(_ part: some StringProtocol, after word: some StringProtocol) -> Bool {
    let name = word.lowercased().trimming(",.!?;:'’")
    return switch part.lowercased().trimming(",.!?;:") {
    case "night": nights.contains(name)
    case "evening": ["parents", "parent's", "open", "information", "info", "social"].contains(name)
    case "morning": ["coffee", "open"].contains(name)
    default: false
    }
  }

  private static let nights: Set<String> = [
    "movie", "film", "game", "games", "date", "quiz", "poker", "trivia", "karaoke", "pizza", "taco", "curry",
    "parents", "girls", "boys", "ladies", "lads", "pub", "club", "comedy", "dance", "bingo", "bowling",
    "craft",
    "stag", "hen", "opening", "boardgame", "wine", "chess", "prom", "theatre", "theater", "family", "mic",
  ]

  /// The second of the day that is meant.
  ///
  /// - Parameter words: The words of the time. With a half of the day or a zero at the start, they are exact.
  func second(_ second: Int, said words: ArraySlice<Substring>) -> Int {
    !Occasion.isExact(words) && late?.contains(second / 3600) ?? false ? second + 43_200 : second
  }

  /// The start and the end that are meant: `party 8-11`.
  func span(_ span: ClockSpan, said word: Substring) -> (Int, Int) {
    let start = second(span.start, said: [word])
    // `9-17` says its halves.
    guard start != span.start, span.end <= 46_800 else { return (span.start, span.end) }
    return (start, (span.end + 43_200) % 86_400)
  }

  /// The hours that are after noon, if only a number says them.
  private var late: ClosedRange<Int>? {
    switch self {
    case .evening: 4...10
    case .lunch: 1...3
    case .morning, .school: nil
    }
  }

  private static func isExact(_ words: ArraySlice<Substring>) -> Bool {
    words.contains { word in
      word.first == "0" || word.contains("am") || word.contains("pm") || ["a", "p"].contains(word.last)
        || ["noon", "midnight", "morning"].contains(word)
    }
  }

  /// Whether an hour is in the morning that would be in the afternoon otherwise.
  func isEarly(_ hour: Int) -> Bool {
    switch self {
    case .morning: true
    case .school: hour > 4
    case .lunch, .evening: false
    }
  }

  // MARK: Words

  private static func isEvening(_ word: String) -> Bool {
    if evenings.contains(word) { return true }
    // `Geburtstagsparty`, `Filmabend`; but not `Freitagabend` and `Sonnabend`, which are days.
    guard word.count > 6 else { return false }
    return word.hasSuffix("party") || word.hasSuffix("konzert")
      || word.hasSuffix("abend") && PhraseWords.words(word) == [word[...]]
  }

  private static let evenings: Set<String> = [
    "dinner", "supper", "party", "cinema", "movie", "movies", "film", "theatre", "theater", "concert", "gig",
    "drinks", "opera", "ballet", "cocktails", "disco", "pub", "abendessen", "abendbrot", "kino", "konzert",
    "oper", "stammtisch", "disko", "kneipe", "feierabendbier",
  ]
  private static let lunches: Set<String> = ["lunch", "lunchtime", "mittagessen"]
  private static let schools: Set<String> = ["school", "schule", "kita", "kindergarten", "nursery"]
  private static let early: Set<String> = [
    "wakeup", "wake-up", "breakfast", "sunrise", "aufstehen", "aufwachen", "wecken", "frühstück",
    "frühstücken", "sonnenaufgang",
  ]

  private static func isEarly(_ plain: [String]) -> Bool {
    plain.contains(where: early.contains)
      || plain.indices.dropLast().contains {
        ["wake", "get", "getting"].contains(plain[$0]) && plain[$0 + 1] == "up"
      }
  }

  /// Whether the occasion is what takes place then, and not part of another thing: `call bob about dinner`,
  /// `buy concert tickets`, `third party audit`.
  private static func isHead(_ at: Int, _ plain: [String], _ words: [Substring]) -> Bool {
    if plain.contains(where: otherMatters.contains) { return false }
    for (index, word) in plain[..<at].enumerated() {
      if separators.contains(word) { return false }
      if word == "to", index == 0 || !goings.contains(plain[index - 1]) { return false }
      if word == "at", plain[index + 1].first?.isLetter == true, index + 3 > at { return false }
    }
    if at > 0, ["third", "3rd", "search", "political", "tea"].contains(plain[at - 1]) { return false }
    guard at + 1 < words.count, words[at].last.map({ !",.!?;:".contains($0) }) ?? false else { return true }
    let next = plain[at + 1]
    return next.first?.isLetter != true || followers.contains(next) || DatePhrase.isWeekday(next)
      || words[at + 1].first?.isUppercase == true
  }

  /// Words that make a line about something before or after the occasion, or about one for children.
  private static let otherMatters: Set<String> = [
    "buy", "order", "book", "reserve", "pay", "call", "phone", "ring", "email", "mail", "text", "message",
    "ask", "invite", "plan", "print", "pick", "collect", "cancel", "return", "send", "write", "decorate",
    "clean", "tidy", "set", "fix", "review", "edit", "discuss", "find", "check", "confirm", "organise",
    "organize", "rsvp", "ticket", "tickets", "kids", "kid's", "kids'", "children", "children's", "brunch",
    "matinee",
    "kaufen", "besorgen", "bestellen", "buchen", "reservieren", "zahlen", "bezahlen", "anrufen", "absagen",
    "abholen", "planen", "schreiben", "fragen", "einladen", "putzen", "aufräumen", "dekorieren", "holen",
    "drucken", "karten", "kinder",
  ]
  private static let separators: Set<String> = [
    "about", "for", "from", "after", "before", "of", "re", "without", "since", "during", "until", "über",
    "für", "wegen", "vor", "nach", "von", "vom", "ohne", "seit", "während", "bis", "beim", "bei",
  ]
  private static let goings: Set<String> = ["go", "going", "get", "drive", "walk", "head", "off", "come"]
  /// What may follow an occasion.
  private static let followers: Set<String> = [
    "with", "w/", "w", "at", "on", "in", "for", "by", "near", "and", "tonight", "today", "tomorrow", "every",
    "next", "this", "party", "date", "night", "reservation", "plans", "starts", "begins", "from", "mit", "um",
    "am", "im", "für", "bei", "beim", "und", "ab", "von", "heute", "morgen", "übermorgen", "jeden", "jede",
    "nächsten", "nächste", "kochen", "machen", "essen", "feiern", "beginnt",
  ]
}
