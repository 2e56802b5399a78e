import FencepostCalendarModel
import FencepostRecurrence
import Foundation
import Testing

/// Compares random rules of every shape with a table of answers from python-dateutil and libical.
///
/// `Scripts/oracle-recurrence` creates the table and shows each oracle's answer for a rule. It can run this
/// test at any length, with another table in FENCEPOST_RECURRENCE_ORACLE.
struct OracleTests {
  struct Line {
    var shape: String
    var rule: String
    var start: CalendarTime
    /// The oracles' answers; `-` for no answer.
    var answers: [String]
  }

  static func table() throws -> [Line] {
    let path =
      ProcessInfo.processInfo.environment["FENCEPOST_RECURRENCE_ORACLE"]
      ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Oracle/rules.txt"
      )
      .path
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { $0.first != "#" }
      .map { line in
        let fields = line.split(separator: "|").map(String.init)
        try #require(fields.count == 5)
        return Line(
          shape: fields[0], rule: fields[1], start: try #require(CalendarTime(basicText: fields[2])),
          answers: Array(fields[3...]))
      }
  }

  /// The number of occurrences and their FNV-1a hash, in the script's format.
  static func digest(_ times: [CivilDateTime]) -> String {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for time in times {
      for byte in (CalendarTime.floating(time).basicText + "\n").utf8 {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    let hexadecimal = String(value, radix: 16)
    return "\(times.count):" + String(repeating: "0", count: 16 - hexadecimal.count) + hexadecimal
  }

  @Test("two out of three agree")
  func agreement() throws {
    let end = CivilDateTime(year: 2400, month: 1, day: 1)
    var disagreements: [String: Int] = [:]
    for line in try Self.table() {
      let rule = try RecurrenceRule(text: line.rule)
      let expansion = RuleExpansion(rule, start: line.start.civil, startPolicy: .matching)
      let times = Array(expansion.prefix(30).prefix { $0 < end })
      let ours = Self.digest(times)
      if !line.answers.contains(ours) {
        disagreements[line.shape, default: 0] += 1
        Issue.record(
          """
          \(line.shape): \(line.rule) from \(line.start.basicText): ours \(ours) \
          \(times.prefix(8).map(\.description)), theirs \(line.answers)
          """)
      }
      // The rule's text reads back as the same rule.
      #expect(try RecurrenceRule(text: rule.text) == rule)
    }
    #expect(disagreements.isEmpty)
  }
}
