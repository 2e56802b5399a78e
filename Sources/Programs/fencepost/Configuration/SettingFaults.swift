import FencepostConfiguration

/// The faults of the settings that a command goes on without: it reads, and defaults do no harm.
///
/// A command that changes something ends with the first fault instead, and so does each command if the store may be
/// another one than the usual.
final class SettingFaults {
  /// What a command does with faults.
  enum Rule {
    /// It ends with the first one.
    case stop
    /// It says them, and goes on without what they concern.
    case say
    /// It examines them itself, also those that concern the store.
    case collect
  }

  /// The faults, each once.
  private(set) var found: [any Error] = []
  /// Whether those that concern the store are among them.
  let areAll: Bool
  private let tell: (any Error) -> Void

  /// `nil` for a command that ends with the first fault.
  init?(_ rule: Rule, tell: @escaping (any Error) -> Void) {
    switch rule {
    case .stop: return nil
    case .say: (areAll, self.tell) = (false, tell)
    case .collect: (areAll, self.tell) = (true, { _ in })
    }
  }

  /// Adds a fault, unless it is known.
  func add(_ fault: any Error) {
    guard !found.contains(where: { "\($0)" == "\(fault)" }) else { return }
    found.append(fault)
    tell(fault)
  }
}
