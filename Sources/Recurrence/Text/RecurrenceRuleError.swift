/// Why a text is no recurrence rule.
public struct RecurrenceRuleError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Problem: Hashable, Sendable {
    /// The part is missing, and must be there.
    case missing
    /// The part stands there twice.
    case repeated
    /// It is no part that RFC 5545 or RFC 7529 knows.
    case unknown
    /// Its value can't be read or is out of range; what it should be.
    case value(String, expected: String)
    /// It can't stand beside another part.
    case conflict(with: String)
  }

  /// The part at fault, such as `BYDAY`.
  public var part: String
  /// What is wrong with it.
  public var problem: Problem

  init(_ part: some StringProtocol, _ problem: Problem) {
    // Both come from files, so they are kept to a length that can be shown.
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
  /// One line that says what to do.
  public var description: String {
    switch problem {
    case .missing: "recurrence rule: \(part) is missing"
    case .repeated: "recurrence rule: \(part) stands there twice"
    case .unknown: "recurrence rule: \"\(part)\" is no part of a rule"
    case .value(let value, let expected): "recurrence rule: \(part)=\(value) should be \(expected)"
    case .conflict(let other): "recurrence rule: \(part) can't stand beside \(other)"
    }
  }
}
