import FencepostBroker
import FencepostCalendarStore
import FencepostStoreAccess
import FencepostSystem
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

@testable import EventKit

/// A store behind a broker, in this process. Apps are whom they claim to be, and the policy is that of the
/// file.
final class BrokerBench: Sendable {
  /// Whether tests run over a broker now.
  @TaskLocal static var isOn = false

  let store: CalendarStore
  let location: StoreLocation
  private let server: BrokerServer
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    store = try CalendarStore(path: directory.path("calendar.sqlite"))
    let path = directory.path("apps")
    server = try BrokerServer(
      store: store, listener: BrokerServer.listener(at: path), policy: .open, log: Log { _, _ in },
      identification: { _ in { AppKey($0.name, .file) } })
    try server.start()
    location = .broker(path)
  }

  deinit { stop() }

  /// Ends the broker.
  func stop() { server.stop() }
}

/// Runs each test over a store in memory or a file, and again over a broker.
struct BothStores: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await function()
    try await BrokerBench.$isOn.withValue(true) { try await function() }
  }
}

extension Trait where Self == BothStores {
  /// Over the file and over a broker.
  static var overBothStores: Self { BothStores() }
}

@Suite("A broker that has ended")
struct EndedBrokerTests {
  @Test("A save says that the store can't be reached, not that the app has no access")
  func save() async throws {
    try await BrokerBench.$isOn.withValue(true) {
      let bench = try await Bench()
      let reminder = bench.reminder("Bread")
      bench.endBroker()
      #expect(code { try bench.store.save(reminder, commit: true) } == .internalFailure)
    }
  }
}
