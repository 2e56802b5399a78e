import FencepostCalendarModel
import FencepostCalendarStore
import Foundation
import Testing

@testable import FencepostSynchronizer

/// Two stores and one server, random edits at both ends, and a client that is cut off at any request.
@Suite struct ConvergenceTests {
  static let habits: [MemoryServer.Habits] = [
    .init(), .init(rewrites: true), .init(omitsTags: true), .init(hasNoTokens: true),
    .init(forgetsTokens: true),
  ]

  /// How many seeds to try: 24, or as many as SYNC_SEEDS says; SYNC_SEED for one only.
  static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    if let one = environment["SYNC_SEED"].flatMap({ UInt64($0) }) { return one..<(one + 1) }
    return 0..<(environment["SYNC_SEEDS"].flatMap { UInt64($0) } ?? 24)
  }()

  @Test(arguments: seeds) func afterQuietAllAreEqualAndNothingIsLostOrTwice(seed: UInt64) throws {
    let server = MemoryAccount(habits: Self.habits[Int(seed) % Self.habits.count])
    server.add("/first/", "First")
    let devices = [try AccountDevice(), try AccountDevice()]
    var editor = RandomEditor(seed: seed)
    for _ in 0..<12 {
      for (index, device) in devices.enumerated() {
        for _ in 0..<Int.random(in: 0..<5, using: &editor.random) { try editor.edit(device, "\(index)") }
        // Half of the runs are cut off: before or after the work of a request.
        var left =
          Bool.random(using: &editor.random) ? Int.random(in: 0..<20, using: &editor.random) : Int.max
        server.interrupt = { _ in
          left -= 1
          if left < 0 { throw MemoryServer.Lost() }
        }
        do { try device.sync(server) } catch is MemoryServer.Lost {}
        server.interrupt = { _ in }
      }
    }
    for _ in 0..<5 { for device in devices { try device.sync(server, agreeing: true) } }
    for device in devices { #expect(try device.sync(server) == SyncCounts(), "seed \(seed)") }
    let texts = try devices.map { try $0.texts }
    #expect(texts[0].keys.sorted() == texts[1].keys.sorted(), "seed \(seed)")
    for (title, text) in texts[0] {
      #expect(ObjectText.isSame(text, texts[1][title] ?? ""), "seed \(seed), \(title)")
    }
    let items = try devices[0].items
    let keys = items.map { "\($0.uid) \($0.detachment as Any)" }
    #expect(Set(keys).count == keys.count, "seed \(seed)")
    let uids = Set(items.map(\.uid))
    let objects = server.lists.values.flatMap { $0.server.objects.keys }
    #expect(objects.sorted() == uids.map { "\($0).ics" }.sorted(), "seed \(seed)")
    let kept = editor.added.subtracting(editor.removed)
    #expect(kept.isSubset(of: uids), "seed \(seed): \(kept.subtracting(uids))")
    for (uid, marks) in editor.marks where kept.contains(uid) {
      let item = items.first { $0.uid == uid && $0.detachment == nil }
      let found = (item?.categories ?? []) + (item?.recurrence?.exceptionDates ?? []).map { "\($0)" }
      #expect(marks.isSubset(of: found), "seed \(seed), \(uid)")
    }
  }
}
