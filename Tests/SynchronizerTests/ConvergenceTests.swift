import CalendarModel
import CalendarStore
import TestSupport
import Testing

@testable import Synchronizer

/// Two stores and one server, random edits at both ends, and a client that is cut off at any request.
@Suite struct ConvergenceTests {
  /// Edits at random. Each changes one property to a value that says which edit it was.
  private struct Editor {
    var random: SeededRandom
    var number = 0
    /// UIDs of items that somebody removed at any time.
    var removed: Set<String> = []
    var added: Set<String> = []

    mutating func edit(_ device: Device, _ name: String) throws {
      number += 1
      let uids = try device.items.map(\.uid).sorted()
      let choice = Int.random(in: 0..<10, using: &random)
      guard choice > 1, let uid = uids.randomElement(using: &random) else {
        let uid = "\(name)-\(number)"
        added.insert(uid)
        try device.add(uid, "Title \(number)")
        return
      }
      let value = number
      switch choice {
      case 2:
        removed.insert(uid)
        try device.remove(uid)
      case 3: try device.change(uid) { $0.title = "Title \(value)" }
      case 4: try device.change(uid) { $0.notes = value % 3 == 0 ? nil : "Note \(value)" }
      case 5: try device.change(uid) { $0.priority = value % 10 }
      case 6: try device.change(uid) { $0.categories.append("c\(value)") }
      case 7:
        try device.change(uid) { item in
          item.alarms.append(
            Alarm(
              id: .init(rawValue: "alarm-\(value)"),
              trigger: .relative(CalendarDuration(seconds: -60 * value), to: .start)))
        }
      case 8: try device.change(uid) { $0.alarms = Array($0.alarms.dropFirst()) }
      default:
        try device.change(uid) { $0.reminder?.complete(at: Instant(seconds: 1_800_000_000 + Int64(value))) }
      }
    }
  }

  static let habits: [MemoryServer.Habits] = [
    .init(), .init(rewrites: true), .init(omitsTags: true), .init(hasNoTokens: true),
    .init(forgetsTokens: true),
  ]

  @Test(arguments: 0..<24 as Range<UInt64>) func afterQuietAllAreEqualAndNothingIsLostOrTwice(seed: UInt64)
    throws
  {
    let server = MemoryServer()
    server.habits = Self.habits[Int(seed) % Self.habits.count]
    let devices = [try Device(), try Device()]
    var editor = Editor(random: SeededRandom(seed: seed))
    for _ in 0..<12 {
      for (index, device) in devices.enumerated() {
        for _ in 0..<Int.random(in: 0..<4, using: &editor.random) { try editor.edit(device, "\(index)") }
        // Half of the runs are cut off: before or after the work of a request.
        var left =
          Bool.random(using: &editor.random) ? Int.random(in: 0..<12, using: &editor.random) : Int.max
        server.interrupt = { _ in
          left -= 1
          if left < 0 { throw MemoryServer.Lost() }
        }
        do { try device.sync(server) } catch is MemoryServer.Lost {}
        server.interrupt = { _ in }
      }
    }
    for _ in 0..<4 { for device in devices { try device.sync(server) } }
    for device in devices { #expect(try device.sync(server) == SyncCounts(), "seed \(seed)") }
    let texts = try devices.map { try $0.text }
    #expect(ObjectText.isSame(texts[0], texts[1]), "seed \(seed)")
    let uids = try devices[0].items.map(\.uid)
    #expect(Set(uids).count == uids.count, "seed \(seed)")
    #expect(server.objects.count == uids.count, "seed \(seed)")
    #expect(editor.added.subtracting(editor.removed).isSubset(of: uids), "seed \(seed)")
  }
}
