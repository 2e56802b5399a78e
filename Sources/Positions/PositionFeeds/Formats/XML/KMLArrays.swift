internal import FencepostSpatiotemporal

/// The arrays that accompany the moments of a `gx:Track`: accuracy and speed, as OpenTracks and similar apps write
/// them (`gx:SimpleArrayData` in `ExtendedData`). The first value belongs to the first moment, and so on.
///
/// The arrays come after the moments. So the fixes of a track wait here for its end, at most ``maximumHeld`` of them,
/// and only if the document's schema declares such an array.
struct KMLArrays {
  /// The maximum number of fixes that wait. The arrays of a longer track are ignored.
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

  /// Whether such an array is declared.
  private var isDeclared = false
  private var held: [(fix: Fix, moment: Int)] = []
  /// The number of moments in the track so far.
  private var moments = 0
  private var isTooLong = false
  private var current: Measure?
  private var accuracies: [Double?] = []
  private var speeds: [Double?] = []

  /// The number of array values kept.
  var heldValues: Int { max(accuracies.count, speeds.count) }

  /// Begins a track.
  mutating func beginTrack() {
    moments = 0
    isTooLong = false
    accuracies.removeAll()
    speeds.removeAll()
  }

  /// Skips a moment without a fix.
  mutating func skipMoment() { moments += 1 }

  /// Takes the fix of the next moment. The fix waits, or goes to `fixes` at once.
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

  /// Begins or declares an array.
  mutating func begin(arrayCalled name: String, isDeclaration: Bool) {
    let measure = Measure(name: name)
    if isDeclaration {
      isDeclared = isDeclared || measure != nil
    } else {
      current = measure
    }
  }

  /// Adds the next value of an array; `nil` if it is not a number.
  mutating func append(_ value: Double?) {
    let most = min(moments, KMLArrays.maximumHeld)
    switch current {
    case .accuracy where accuracies.count < most: accuracies.append(value)
    case .speed where speeds.count < most: speeds.append(value)
    default: break
    }
  }

  /// Ends an array.
  mutating func endArray() { current = nil }

  /// Ends the track. Returns the fixes that waited, with the values of the arrays.
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
