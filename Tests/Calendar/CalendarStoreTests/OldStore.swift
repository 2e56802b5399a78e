import FencepostTestSupport
import Foundation

extension TemporaryDirectory {
  /// A copy of a store that the program of schema 35 wrote: 65 reminders and events, places, a subscription,
  /// 8 firings and positions.
  func oldStore() throws -> String {
    let path = path("old.sqlite")
    let file = "Tests/Calendar/CalendarStoreTests/Fixtures/schema-35.sqlite"
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent(file), to: URL(fileURLWithPath: path))
    return path
  }
}
