internal import Spatiotemporal

/// What stands in arrays beside the moments of a `gx:Track`: accuracy and speed, as OpenTracks and its like write them
/// (`gx:SimpleArrayData` in `ExtendedData`). The first value belongs to the first moment, and so on.
///
/// The arrays come after the moments, so the fixes of a track wait here for its end; at most ``maximumHeld`` of them, and
/// only where the document's schema has declared such an array.
struct KMLArrays {
  /// How many fixes wait at most; a track that is longer goes without its arrays.
  static let maximumHeld = 100_000

  private enum Measure {
    case accuracy, speed

    init?(name: String) {
      switch name.lowercased() {
      case "accuracy", "accuracy_horizontal", "horizontal_accuracy", "horizontalaccuracy": self = .accuracy
      case "speed": self = .speed
      default: return nil
      }
    }
  }

  /// True once such an array was declared.
  private var isDeclared = false
  private var held: [(fix: Fix, moment: Int)] = []
  /// How many moments the track has had.
  private var moments = 0
  private var isTooLong = false
  private var current: Measure?
  private var accuracies: [Double?] = []
  private var speeds: [Double?] = []

  /// How many values of arrays are kept.
  var heldValues: Int { max(accuracies.count, speeds.count) }

  /// A track begins.
  mutating func beginTrack() {
    moments = 0
    isTooLong = false
    accuracies.removeAll()
    speeds.removeAll()
  }

  /// A moment that gave no fix.
  mutating func skipMoment() { moments += 1 }

  /// Takes the fix of the next moment, which waits or goes to `fixes` at once.
  mutating func take(_ fix: Fix, into fixes: inout [Fix]) {
    guard isDeclared, !isTooLong else {
      fixes.append(fix)
      return
    }
    held.append((fix, moments))
    moments += 1
    if held.count >= KMLArrays.maximumHeld {
      isTooLong = true
      fixes += endTrack()
    }
  }

  /// An array begins, or is declared.
  mutating func begin(arrayCalled name: String, isDeclaration: Bool) {
    let measure = Measure(name: name)
    if isDeclaration {
      isDeclared = isDeclared || measure != nil
    } else {
      current = measure
    }
  }

  /// The next value of an array; `nil` where it is no number.
  mutating func append(_ value: Double?) {
    let most = min(moments, KMLArrays.maximumHeld)
    switch current {
    case .accuracy where accuracies.count < most: accuracies.append(value)
    case .speed where speeds.count < most: speeds.append(value)
    default: break
    }
  }

  /// An array ends.
  mutating func endArray() { current = nil }

  /// The fixes that were held back, with what the arrays say of them.
  mutating func endTrack() -> [Fix] {
    defer { held.removeAll() }
    return held.map { fix, moment in
      var fix = fix
      if moment < accuracies.count { fix.horizontalAccuracy = Measurement.accuracy(accuracies[moment]) }
      if moment < speeds.count { fix.speed = Measurement.speed(speeds[moment]) }
      return fix
    }
  }
}
