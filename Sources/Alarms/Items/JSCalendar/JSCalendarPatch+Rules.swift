import FencepostAlgorithms
import FencepostCalendarModel
import FencepostICalendar
import FencepostJSON
import FencepostRecurrence

extension JSCalendarPatch {
  func applyRules(_ reader: PatchReader, to item: inout CalendarItem) throws(ItemPatchError) {
    guard let list = reader.value.isNull ? [] : reader.value.list, list.count <= 100 else {
      throw reader.fail("must be a list of at most 100 rules")
    }
    var rules: [RecurrenceRule] = []
    let clock = try clock()
    for (index, json) in list.enumerated() {
      do throws(ItemPatchError) { rules.append(try rule(json, clock)) } catch {
        throw error.below("/\(reader.key)/\(index)")
      }
    }
    var recurrence = item.recurrence ?? Recurrence()
    if reader.key == "recurrenceRules" { recurrence.rules = rules } else { recurrence.exceptionRules = rules }
    item.recurrence = recurrence == Recurrence() ? nil : recurrence
  }

  /// A rule, by way of its text (RFC 5545), whose reader knows what each part may say.
  private func rule(_ json: JSONValue, _ clock: JSCalendarClock) throws(ItemPatchError) -> RecurrenceRule {
    func part(_ name: String) -> PatchReader { PatchReader(json[name], key: name) }
    guard json.members != nil else { throw ItemPatchError("", "must be an object, not \(json.kind)") }
    var parts = ["FREQ=\(try part("frequency").ruleWord() ?? "")"]
    let scale = try part("rscale").ruleWord()
    if let scale { parts.append("RSCALE=\(scale)") }
    if let skip = try part("skip").ruleWord(), skip != "OMIT" {
      if scale == nil { parts.append("RSCALE=GREGORIAN") }
      parts.append("SKIP=\(skip)")
    }
    if let first = try part("firstDayOfWeek").ruleWord() { parts.append("WKST=\(first)") }
    if let days = try part("byDay").values() {
      var texts: [String] = []
      for day in days {
        let weekday = try PatchReader(day["day"], key: "byDay/\(texts.count)/day").ruleWord() ?? "?"
        let ordinal = try PatchReader(day["nthOfPeriod"], key: "byDay/\(texts.count)/nthOfPeriod")
          .ruleNumber()
        texts.append("\(ordinal ?? "")\(weekday)")
      }
      parts.append("BYDAY=" + texts.joined(separator: ","))
    }
    for (name, word) in Self.lists {
      guard let values = try part(name).values() else { continue }
      var texts: [String] = []
      for value in values {
        let reader = PatchReader(value, key: "\(name)/\(texts.count)")
        // Months are texts, because leap months of other calendars have letters.
        texts.append(
          try (name == "byMonth" && value.text != nil ? reader.ruleWord() : reader.ruleNumber()) ?? "")
      }
      parts.append("\(word)=" + texts.joined(separator: ","))
    }
    for (name, word) in [("interval", "INTERVAL"), ("count", "COUNT")] {
      if let number = try part(name).ruleNumber() { parts.append("\(word)=\(number)") }
    }
    var rule: RecurrenceRule
    do throws(RecurrenceRuleError) { rule = try RecurrenceRule(text: parts.joined(separator: ";")) } catch {
      throw ItemPatchError("", "is not a rule: \(error)")
    }
    let until = part("until")
    if !until.value.isNull {
      guard part("count").value.isNull else { throw until.fail("excludes \"count\"") }
      let time = try clock.time(until)
      // In files, ends of rules with a zone are in UTC (RFC 5545, section 3.3.10).
      rule.end = .until(time.zone == nil ? time : CalendarTime(resolver.instant(of: time)))
    }
    return rule
  }

  private static let lists = [
    ("byMonthDay", "BYMONTHDAY"), ("byMonth", "BYMONTH"), ("byYearDay", "BYYEARDAY"),
    ("byWeekNo", "BYWEEKNO"),
    ("byHour", "BYHOUR"), ("byMinute", "BYMINUTE"), ("bySecond", "BYSECOND"), ("bySetPosition", "BYSETPOS"),
  ]
}

extension PatchReader {
  /// Reads a member that may be absent.
  init(_ value: JSONValue?, key: String) {
    self.init(value: value ?? JSONValue(line: 1, content: .null), key: key)
  }

  /// The values of a list; `nil` if it is absent.
  fileprivate func values() throws(ItemPatchError) -> [JSONValue]? {
    if value.isNull { return nil }
    guard let list = value.list else { throw fail("must be a list, not \(value.kind)") }
    return list
  }

  /// A word as a part of a rule's text, where other characters could be parts of their own.
  fileprivate func ruleWord() throws(ItemPatchError) -> String? {
    guard let text = try optionalText() else { return nil }
    guard
      text.utf8.allSatisfy({
        (0x41...0x5A).contains(ASCII.uppercased($0)) || ASCII.isDigit($0) || $0 == 0x2D
      })
    else { throw fail("must be a word") }
    return text.uppercased()
  }

  /// A number as a part of a rule's text.
  fileprivate func ruleNumber() throws(ItemPatchError) -> String? {
    value.isNull ? nil : "\(try integer(in: -1_000_000_000...1_000_000_000))"
  }
}
