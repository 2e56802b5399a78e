import FencepostCalendarModel
import FencepostICalendar
import FencepostTestSupport
import Testing

@testable import FencepostReconciliation

/// What must be true of any three texts.
@Suite struct MergePropertyTests {
  private static func tree(_ random: inout SeededRandom) -> ComponentTree {
    let lines = (0..<Int.random(in: 0..<6, using: &random)).map { _ in line(&random) }
    var item = ComponentTree(name: "VTODO", lines: ["UID:1"] + Array(Set(lines)).sorted())
    for number in 0..<Int.random(in: 0..<3, using: &random) {
      item.components.append(
        ComponentTree(
          name: "VALARM", lines: ["UID:\(number)", "TRIGGER:-PT\(Int.random(in: 1..<4, using: &random))H"]))
    }
    return ComponentTree(name: "VCALENDAR", components: [item])
  }

  private static func line(_ random: inout SeededRandom) -> String {
    let value = Int.random(in: 1..<4, using: &random)
    let kinds = [
      "SUMMARY:\(value)", "PRIORITY:\(value)", "X-A;B=\(value):x", "CATEGORIES:\(value)", "STATUS:COMPLETED",
      "DTSTART:2026010\(value)T100000", "EXDATE:2026010\(value)T100000Z",
      "LAST-MODIFIED:2026010\(value)T000000Z",
      "X-APPLE-SORT-ORDER:\(value)",
    ]
    return kinds[Int.random(in: 0..<kinds.count, using: &random)]
  }

  @Test(arguments: 0..<40) func holdsForRandomTexts(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      let (base, local, remote) = (Self.tree(&random), Self.tree(&random), Self.tree(&random))
      // What one side changed is taken.
      #expect(
        ObjectMerge.isSame(ObjectMerge(base: base, local: base, remote: remote).tree, remote), "seed \(seed)")
      #expect(
        ObjectMerge.isSame(ObjectMerge(base: base, local: local, remote: base).tree, local), "seed \(seed)")
      #expect(ObjectMerge(base: base, local: local, remote: base).losses.isEmpty, "seed \(seed)")
      // The same change on both sides is no conflict.
      let same = ObjectMerge(base: base, local: local, remote: local)
      #expect(same.tree == local && same.losses.isEmpty, "seed \(seed)")
      // A merge that was interrupted and is done again changes nothing.
      let merged = ObjectMerge(base: base, local: local, remote: remote).tree
      let again = ObjectMerge(base: remote, local: merged, remote: remote)
      #expect(ObjectMerge.isSame(again.tree, merged) && again.losses.isEmpty, "seed \(seed)")
      let uploaded = ObjectMerge(base: base, local: merged, remote: merged)
      #expect(uploaded.tree == merged && uploaded.losses.isEmpty, "seed \(seed)")
      // A patch of the text itself gives what it was changed to.
      let patched = ObjectMerge.patch(base, from: base, to: local)
      #expect(ObjectMerge.isSame(patched, local), "seed \(seed)")
      #expect(ObjectMerge.patch(remote, from: base, to: base) == remote, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<100) func aPatchOfRandomItemsSaysWhatTheChangedItemSays(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let before = model.item(in: Identifier(rawValue: "c"))
    var after = model.item(in: Identifier(rawValue: "c"))
    guard before.isEvent == after.isEvent else { return }
    (after.id, after.uid, after.detachment) = (before.id, before.uid, before.detachment)
    let trees = try [before, after].map { item in
      try #require(ComponentTree(ICalendarWriter().text(of: ICalendarDocument(items: [item]))))
    }
    let patched = ObjectMerge.patch(trees[0], from: trees[0], to: trees[1])
    #expect(ObjectMerge.isSame(patched, trees[1]), "seed \(seed)")
  }
}
