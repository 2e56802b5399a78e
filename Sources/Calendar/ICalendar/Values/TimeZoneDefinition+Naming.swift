public import FencepostCalendarModel

extension TimeZoneDefinition {
  /// The zone under another name, in its text too.
  public func named(_ name: TimeZoneID) -> TimeZoneDefinition {
    guard name != id else { return self }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let word = line.prefix { $0 != ":" && $0 != ";" }.uppercased()
      return word == "TZID" ? "TZID:\(TextValue.encode(name.rawValue))" : String(line)
    }
    return TimeZoneDefinition(id: name, observances: observances, text: lines.joined(separator: "\n"))
  }
}
