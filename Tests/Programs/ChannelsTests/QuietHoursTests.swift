import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostChannels

@Suite("Quiet hours")
struct QuietHoursTests {
  /// Remembers what it is told.
  private final class Recorder: Channel {
    var told: [(isQuiet: Bool, line: String)] = []

    func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
      told.append((delivery.isQuiet, line))
    }
  }

  /// Rings one alarm at 8:00:10 in Berlin, and returns what a channel is told.
  private func told(
    _ hours: TimeWindow.Hours?, priority: Int = 0, _ alarm: Alarm = LiveAlarmFixture.alarm(.enter)
  ) throws -> [(isQuiet: Bool, line: String)] {
    let fixture = try LiveAlarmFixture()
    var item = try fixture.reminder("Milk", alarm)
    item.priority = priority
    try fixture.store.write { [item] in try $0.save(item) }
    let engine = try fixture.engine(channels: ["quiet"])
    fixture.clock.advance(by: 10)
    _ = try engine.process([fixture.fix(0, 500), fixture.fix(10, 0)], at: fixture.clock.now)
    _ = try engine.process([], at: fixture.clock.now)
    let (clock, channel) = (fixture.clock, Recorder())
    var loop = DeliveryLoop(
      name: "quiet", channel: channel, store: fixture.store, resolver: fixture.resolver,
      clock: { clock.now }, quietHours: hours.map { QuietHours($0) })
    _ = try loop.run()
    return channel.told
  }

  private static let night = TimeWindow.Hours(from: 22 * 3600, until: 9 * 3600)

  @Test("An alarm at a place makes no sound in them, and is told")
  func atPlace() throws {
    let told = try told(Self.night)
    #expect(told.map(\.isQuiet) == [true])
    #expect(told.first?.line.hasSuffix(",\"quiet\":true}") == true)
  }

  @Test(
    "Outside of them, without them, and with high priority it is told as usual",
    arguments: [
      (TimeWindow.Hours(from: 22 * 3600, until: 8 * 3600), 0), (nil, 0), (night, 1), (night, 4),
    ])
  func loud(hours: TimeWindow.Hours?, priority: Int) throws {
    let told = try told(hours, priority: priority)
    #expect(told.map(\.isQuiet) == [false])
    #expect(told.first?.line.contains("quiet") == false)
  }

  @Test("Medium and low priority are quiet", arguments: [5, 9])
  func lowPriority(priority: Int) throws {
    #expect(try told(Self.night, priority: priority).map(\.isQuiet) == [true])
  }

  @Test("An alarm at a time is never quiet")
  func atTime() throws {
    #expect(try told(Self.night, LiveAlarmFixture.alarm(at: 5)).map(\.isQuiet) == [false])
  }

  @Test(
    "Each service is asked to make no sound in its own way",
    arguments: [
      ("ntfy://127.0.0.1:PORT/alarms?secure=false&priority=5", "priority", "2"),
      ("ntfy://127.0.0.1:PORT/alarms?secure=false&priority=1", "priority", "1"),
      ("gotify://127.0.0.1:PORT?secure=false&token=T", "priority", "3"),
      ("telegram:-100123?token=42:ABC-d_e&server=http://127.0.0.1:PORT", "disable_notification", "1"),
      ("matrix://127.0.0.1:PORT/!room:example.org?secure=false&token=T", "msgtype", "m.notice"),
    ])
  func services(address: String, key: String, value: String) throws {
    let service = try ServiceFixture(check: { _ in [] }) { _, _ in
      .answer(200, body: "{\"ok\":true,\"result\":{},\"event_id\":\"$1\"}")
    }
    let day = QuietHours(TimeWindow.Hours(from: 0, until: 86_400))
    #expect(try service.run(address, quietHours: day) == .init())
    #expect(try service.sent().last.flatMap { $0[key] }.map { "\($0)" } == value)
  }
}
