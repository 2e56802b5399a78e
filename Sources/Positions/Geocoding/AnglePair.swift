import FencepostGeodesy

/// A latitude and a longitude in a text without anything else.
struct AnglePair {
  let coordinate: Coordinate

  /// The pair in `text`; `nil` if the text contains anything else.
  init?(_ text: some StringProtocol) {
    guard let parts = Self.parts(text), let (first, second) = Self.split(parts),
      let one = Angle(first), let other = Angle(second)
    else { return nil }
    switch (one.axis, other.axis) {
    case (.latitude?, .longitude?), (nil, nil):
      coordinate = Coordinate(latitude: one.degrees, longitude: other.degrees)
    case (.longitude?, .latitude?):
      coordinate = Coordinate(latitude: other.degrees, longitude: one.degrees)
    default: return nil
    }
  }

  /// A part of the text.
  enum Part: Equatable {
    case number(AngleNumber)
    /// N, S, E or W.
    case letter(Character)
    /// A separator, allowed only between the two angles.
    case separator
  }

  /// The maximum number of parts in a pair: three numbers and a letter for each angle, and separators.
  private static let maxParts = 12

  private static func parts(_ text: some StringProtocol) -> [Part]? {
    let characters = Array(text)
    let commas = DecimalCommas(characters)
    var parts: [Part] = []
    var index = 0
    while index < characters.count {
      guard parts.count < maxParts else { return nil }
      let character = characters[index]
      if character.isWhitespace {
        index += 1
      } else if let number = AngleNumber(characters, at: &index, commas: commas) {
        parts.append(.number(number))
      } else if "NSEWnsew".contains(character) {
        parts.append(.letter(Character(character.uppercased())))
        index += 1
      } else if ",;/".contains(character) {
        parts.append(.separator)
        index += 1
      } else {
        return nil
      }
    }
    return parts
  }

  /// The parts of each angle.
  private static func split(_ parts: [Part]) -> (ArraySlice<Part>, ArraySlice<Part>)? {
    func isLetter(_ part: Part) -> Bool { if case .letter = part { true } else { false } }
    let separators = parts.indices.filter { parts[$0] == .separator }
    if let separator = separators.first {
      guard separators.count == 1 else { return nil }
      return (parts[..<separator], parts[(separator + 1)...])
    }
    let letters = parts.indices.filter { isLetter(parts[$0]) }
    let degrees = parts.indices.filter {
      if case .number(let number) = parts[$0] { number.mark == "°" } else { false }
    }
    let boundary: Int
    if letters.count == 2 {
      boundary = letters[0] == 0 ? letters[1] : letters[0] + 1
    } else if letters.isEmpty, degrees.count == 2 {
      boundary = degrees[1]
    } else if parts.count == 2 {
      boundary = 1
    } else {
      return nil
    }
    return (parts[..<boundary], parts[boundary...])
  }
}

/// Finds the decimal commas of a text.
///
/// In a text without points, a comma between two digits is a decimal comma, unless it must separate the two
/// angles. It does if it is the only comma of the only number, or the middle one of three in a row.
struct DecimalCommas {
  private var places: Set<Int> = []

  init(_ characters: [Character]) {
    guard !characters.contains(".") else { return }
    // The commas of each number.
    var numbers: [[Int]] = []
    var isInside = false
    for (index, character) in characters.enumerated() {
      if AngleNumber.isDigit(character) {
        if !isInside { numbers.append([]) }
        isInside = true
      } else if isInside, character == ",", index + 1 < characters.count,
        AngleNumber.isDigit(characters[index + 1])
      {
        numbers[numbers.count - 1].append(index)
      } else {
        isInside = false
      }
    }
    if numbers.count > 1, numbers.allSatisfy({ $0.count <= 1 }) {
      places = Set(numbers.joined())
    } else if numbers.count == 1, numbers[0].count == 3 {
      places = [numbers[0][0], numbers[0][2]]
    }
  }

  /// Whether the comma at `index` belongs to a number.
  func contains(_ index: Int) -> Bool { places.contains(index) }
}
