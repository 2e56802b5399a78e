/// A latitude or a longitude from its parts.
struct Angle {
  enum Axis { case latitude, longitude }

  /// Degrees; south and west are negative.
  let degrees: Double
  /// The axis that a letter names.
  let axis: Axis?

  /// An angle of one to three numbers, with a letter before or after; `nil` for other parts.
  init?(_ parts: ArraySlice<AnglePair.Part>) {
    var numbers: [AngleNumber] = []
    var letter: Character?
    for (index, part) in zip(parts.indices, parts) {
      switch part {
      case .number(let number): numbers.append(number)
      case .letter(let found):
        guard letter == nil, index == parts.startIndex || index == parts.endIndex - 1 else { return nil }
        letter = found
      case .separator: return nil
      }
    }
    guard let degrees = Self.degrees(numbers) else { return nil }
    let isNegative = numbers[0].isNegative
    switch letter {
    case nil: (self.degrees, axis) = (isNegative ? -degrees : degrees, nil)
    // A sign and a letter are redundant or contradict each other.
    case _ where isNegative: return nil
    case "N": (self.degrees, axis) = (degrees, .latitude)
    case "S": (self.degrees, axis) = (-degrees, .latitude)
    case "E": (self.degrees, axis) = (degrees, .longitude)
    default: (self.degrees, axis) = (-degrees, .longitude)
    }
  }

  /// Degrees, minutes and seconds. Only the last number may have a fraction.
  private static func degrees(_ numbers: [AngleNumber]) -> Double? {
    let marks: [Character] = ["°", "'", "\""]
    guard (1...3).contains(numbers.count) else { return nil }
    var degrees = 0.0
    for (index, number) in numbers.enumerated() {
      guard number.mark == nil || number.mark == marks[index] else { return nil }
      guard index == numbers.count - 1 || number.isWhole else { return nil }
      guard index == 0 || (!number.isNegative && number.value < 60) else { return nil }
      degrees += number.value / [1, 60, 3_600][index]
    }
    return degrees
  }

  /// A number with an optional sign and decimal point. No exponent, no letters.
  static func decimal(_ text: some StringProtocol) -> Double? {
    let digits = text.drop { "+-".contains($0) }
    guard text.count - digits.count <= 1, digits.first.map(AngleNumber.isDigit) == true,
      digits.allSatisfy({ AngleNumber.isDigit($0) || $0 == "." })
    else { return nil }
    return Double(text)
  }
}

/// A number of an angle.
struct AngleNumber: Equatable {
  /// Zero or more.
  var value: Double
  /// Whether a minus precedes it.
  var isNegative = false
  /// Whether it has no fraction.
  var isWhole = true
  /// The sign for degrees, minutes or seconds after it: `°`, `'` or `"`.
  var mark: Character?

  /// Reads the number at `index` and moves `index` behind it; `nil` if there is no number.
  init?(_ characters: [Character], at index: inout Int, commas: DecimalCommas) {
    var end = index
    if "+-−".contains(characters[end]) {
      isNegative = characters[end] != "+"
      end += 1
    }
    let start = end
    var text = ""
    while end < characters.count {
      let character = characters[end]
      let isPoint = character == "." || (character == "," && commas.contains(end))
      if isPoint && isWhole && end > start {
        isWhole = false
        text.append(".")
      } else if Self.isDigit(character) {
        text.append(character)
      } else {
        break
      }
      end += 1
    }
    guard let value = Double(text) else { return nil }
    self.value = value
    mark = Self.mark(characters, at: &end)
    index = end
  }

  private static func mark(_ characters: [Character], at index: inout Int) -> Character? {
    guard index < characters.count else { return nil }
    let mark: Character
    switch characters[index] {
    case "°", "º", "˚": mark = "°"
    case "'", "′", "’", "‘", "´":
      let isDouble = index + 1 < characters.count && characters[index + 1] == characters[index]
      mark = isDouble ? "\"" : "'"
      if isDouble { index += 1 }
    case "\"", "″", "”", "“": mark = "\""
    default: return nil
    }
    index += 1
    return mark
  }

  static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
