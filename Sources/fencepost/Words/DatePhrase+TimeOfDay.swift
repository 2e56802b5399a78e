extension DatePhrase {
  /// The second of the day that the words begin with, and how many of them say it.
  static func timeOfDay(_ words: ArraySlice<Substring>) -> (Int, Int)? {
    guard let first = words.first else { return nil }
    switch first {
    case "noon": return (12 * 3600, 1)
    case "midnight": return (0, 1)
    case "morning": return (9 * 3600, 1)
    case "afternoon": return (15 * 3600, 1)
    case "evening": return (18 * 3600, 1)
    case "night": return (21 * 3600, 1)
    default: break
    }
    var word = first
    var used = 1
    var half: Substring = ""
    if word.hasSuffix("am") || word.hasSuffix("pm") {
      half = word.suffix(2)
      word = word.dropLast(2)
    } else if let second = words.dropFirst().first, second == "am" || second == "pm" {
      half = second
      used = 2
    }
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.count <= 2 && !$0.isEmpty ? Int($0) : nil }
    guard (1...3).contains(parts.count), numbers.count == parts.count,
      parts.count > 1 || !half.isEmpty, numbers.allSatisfy({ $0 >= 0 })
    else { return nil }
    var hour = numbers[0]
    if !half.isEmpty {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == "pm" ? 12 : 0)
    }
    let minute = numbers.count > 1 ? numbers[1] : 0
    let second = numbers.count > 2 ? numbers[2] : 0
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return (hour * 3600 + minute * 60 + second, used)
  }
  /// What a time of day means after `tonight`, as seconds from the start of the day: 9 is 21:00, and midnight, 12 and 0:30
  /// are the next day's.
  static func tonight(_ second: Int, said words: ArraySlice<Substring>) -> Int {
    let saysHalf = words.contains { $0.hasSuffix("am") || $0.hasSuffix("pm") }
    let isNumber = words.first?.first?.isNumber == true
    switch second / 3600 {
    case 0: return second + 86_400
    case 1...11 where isNumber && !saysHalf, 12 where isNumber && !saysHalf: return second + 43_200
    default: return second
    }
  }
}
