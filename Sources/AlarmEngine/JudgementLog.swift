import Geofencing

/// The judgements of a fix, until the engine passes them on: the tracker, which is open while it weighs, must not be asked
/// for anything by those who hear of them.
final class JudgementLog {
  private var judgements: [Judgement] = []

  /// Adds a judgement.
  func add(_ judgement: Judgement) { judgements.append(judgement) }

  /// Removes all and returns them, in order.
  func takeAll() -> [Judgement] {
    defer { judgements.removeAll(keepingCapacity: true) }
    return judgements
  }
}
