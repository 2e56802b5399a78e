import FencepostCalendarModel
import FencepostReconciliation
import Testing

@Suite struct SyncPlanTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var tag: String? = "1"
    var isAgreed = true
    var state = SyncState.agreed
    /// `nil` if it is gone there.
    var remote: String?
    var local = ""
    var outcome: String
  }

  static let cases = [
    Case(testDescription: "nothing changed", remote: "1", outcome: ""),
    Case(testDescription: "changed there", remote: "2", outcome: "read"),
    Case(testDescription: "changed here", remote: "1", local: "changed", outcome: "update"),
    Case(testDescription: "changed on both sides", remote: "2", local: "changed", outcome: "read"),
    Case(testDescription: "removed here", remote: "1", local: "removed", outcome: "delete"),
    Case(testDescription: "removed here, changed there", remote: "2", local: "removed", outcome: "read"),
    Case(testDescription: "gone there", remote: nil, outcome: "remove"),
    Case(testDescription: "gone there, changed here", remote: nil, local: "changed", outcome: "revive"),
    Case(testDescription: "gone on both sides", remote: nil, local: "removed", outcome: "forget"),
    Case(testDescription: "new there", isAgreed: false, remote: "1", outcome: "read"),
    Case(testDescription: "new here", isAgreed: false, remote: nil, local: "added", outcome: "create"),
    Case(testDescription: "without a tag", tag: nil, remote: "1", outcome: "read"),
    Case(testDescription: "sent and there", state: .sent, remote: "1", outcome: "check"),
    Case(testDescription: "sent, changed there", state: .sent, remote: "2", outcome: "check"),
    Case(testDescription: "sent and not there", state: .sent, outcome: "revive"),
    Case(
      testDescription: "sent, removed here", state: .sent, remote: "1", local: "removed", outcome: "delete"),
    Case(testDescription: "sent, gone, removed here", state: .sent, local: "removed", outcome: "forget"),
    Case(testDescription: "unusable as before", state: .unusable, remote: "1", outcome: ""),
    Case(testDescription: "unusable, changed there", state: .unusable, remote: "2", outcome: "read"),
    Case(testDescription: "unusable and gone", state: .unusable, outcome: "remove"),
    Case(testDescription: "not given before", state: .unread, remote: "1", outcome: "read"),
    Case(
      testDescription: "not given before, changed here", state: .unread, remote: "1", local: "changed",
      outcome: "read"),
    Case(testDescription: "not given before, and gone", state: .unread, outcome: "remove"),
    Case(
      testDescription: "the only one that is left of two", state: .duplicate, remote: "1", outcome: "read"),
    Case(testDescription: "a duplicate that is gone", state: .duplicate, outcome: "forget"),
  ]

  @Test(arguments: cases, [true, false]) func decides(_ testCase: Case, isComplete: Bool) {
    let tags = testCase.remote.map { ["a.ics": $0] } ?? [:]
    let isGone = testCase.isAgreed && testCase.remote == nil
    let listing =
      isComplete
      ? Listing(all: tags)
      : Listing(
        changed: testCase.tag == testCase.remote && testCase.isAgreed ? [:] : tags,
        gone: isGone ? ["a.ics"] : [])
    var local = SyncPlan.LocalChanges()
    switch testCase.local {
    case "changed": local.changed = ["a"]
    case "removed": local.removed = ["a"]
    case "added": local.added = ["a"]
    default: break
    }
    let agreed =
      testCase.isAgreed
      ? [AgreedObject(name: "a.ics", uid: "a", state: testCase.state, tag: testCase.tag)] : []
    let plan = SyncPlan(agreed: agreed, local: local, remote: listing)
    let outcomes = [
      ("read", plan.reads.count), ("check", plan.checks.count), ("remove", plan.removals.count),
      ("revive", plan.revivals.count),
      ("forget", plan.forgotten.count), ("create", plan.creations.count), ("update", plan.updates.count),
      ("delete", plan.deletions.count),
    ]
    #expect(outcomes.filter { $0.1 > 0 }.map(\.0) == (testCase.outcome.isEmpty ? [] : [testCase.outcome]))
  }

  @Test(arguments: [
    (20, 10, false), (20, 11, true), (9, 9, false), (10, 10, true), (1_000, 500, false), (1_000, 501, true),
  ])
  func asksBeforeMoreThanHalfOfAListIsRemoved(count: Int, gone: Int, asks: Bool) {
    let agreed = (0..<count).map { AgreedObject(name: "\($0).ics", uid: "\($0)", tag: "1") }
    let left = agreed.dropFirst(gone).map { ($0.name, "1") }
    let remote = Listing(all: Dictionary(left) { first, _ in first })
    let plan = SyncPlan(agreed: agreed, local: .init(), remote: remote)
    #expect(plan.removals.count == gone)
    #expect(plan.removesMuchHere == asks)
    #expect(plan.withoutLargeRemovals.removals.count == (asks ? 0 : gone))
    let all = Listing(all: Dictionary(agreed.map { ($0.name, "1") }) { first, _ in first })
    let removed = SyncPlan.LocalChanges(removed: Set(agreed.prefix(gone).map { ExactText($0.uid) }))
    #expect(SyncPlan(agreed: agreed, local: removed, remote: all).deletesMuchThere == asks)
  }
}
