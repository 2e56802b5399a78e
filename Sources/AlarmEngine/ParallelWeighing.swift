import CalendarModel
import Geofencing
import System

/// Weighs the fixes of many devices on all cores.
///
/// Devices share nothing, so each core takes some of them, in the order of their fixes; what was found is put
/// back into the order of all fixes. So the result is that of weighing one fix after the other.
enum ParallelWeighing {
  /// What one fix led to.
  struct Outcome: Sendable {
    var admission = Admission.admitted
    var transitions: [Transition] = []
    /// When the device's last fix before it was.
    var before: Instant?
  }

  /// Below so many fixes a second thread costs more than it saves.
  static let leastFixes = 512

  /// Weighs `fixes` and brings `states`, by device number, along.
  ///
  /// - Parameter states: One for each device of the fixes.
  /// - Returns: What each fix led to, in their order.
  static func weigh(
    _ fixes: [Fix], states: inout [DeviceState?], by evaluator: FenceEvaluator, cores: Int
  ) -> [Outcome] {
    var outcomes = [Outcome](repeating: Outcome(), count: fixes.count)
    outcomes.withUnsafeMutableBufferPointer { outcomes in
      states.withUnsafeMutableBufferPointer { states in
        // Each index of `outcomes` is a fix's, and each of `states` a device's: no two cores write to the same.
        nonisolated(unsafe) let outcomes = outcomes
        nonisolated(unsafe) let states = states
        CoreThreads.perform(cores) { core in
          for index in fixes.indices where Int(fixes[index].device.rawValue) % cores == core {
            let device = Int(fixes[index].device.rawValue)
            states[device]?.weigh(fixes[index], by: evaluator, into: &outcomes[index])
          }
        }
      }
    }
    return outcomes
  }
}

extension DeviceState {
  /// Weighs a fix, in place.
  fileprivate mutating func weigh(
    _ fix: Fix, by evaluator: FenceEvaluator, into outcome: inout ParallelWeighing.Outcome
  ) {
    outcome.before = lastFix?.time
    outcome.admission = evaluator.evaluate(fix, state: &self, into: &outcome.transitions)
  }
}
