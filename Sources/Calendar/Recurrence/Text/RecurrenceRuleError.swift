/// The reason why a text is not a recurrence rule.
public struct RecurrenceRuleError: Error, Hashable, Sendable {
  /// The problem.
  public enum Problem: Hashable, Sendable {
    /// A required part is missing.
    case missing
    /// A part occurs twice.
    case repeated
    /// RFC 5545 and RFC 7529 don't define the part.
    case unknown
    /// A value is unreadable or out of range. `expected` describes a valid value.
    case value(String, expected: String)
    /// Two parts exclude each other.
    case conflict(with: String)
  }

  /// The wrong part, for example `BYDAY`.
  public var part: String
  /// The problem with the part.
  public var problem: Problem

  init(_ part: some StringProtocol, _ problem: Problem) {
    // Both come from files, so limit their length.
    self.part = String(part.prefix(40))
    self.problem =
      if case .value(let value, let expected) = problem {
        .value(String(value.prefix(80)), expected: expected)
      } else {
        problem
      }
  }
}

extension RecurrenceRuleError: CustomStringConvertible {
  /// The problem in one line.
  public var description: String {
    switch problem {
    case .missing: "recurrence rule: \(part) is missing"
    case .repeated: "recurrence rule: \(part) is repeated"
    case .unknown: "recurrence rule: \"\(part)\" is not a valid part"
    case .value(let value, let expected): "recurrence rule: \(part)=\(value) should be \(expected)"
    case .conflict(let other): "recurrence rule: \(part) can't be combined with \(other)"
    }
  }
}
