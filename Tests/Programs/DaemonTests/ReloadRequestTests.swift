import FencepostSystem
import FencepostWebApp
import Testing

@testable import FencepostDaemon

@Suite("A request to reload the settings")
struct ReloadRequestTests {
  private let requests: BoundedQueue<ReloadRequest>

  init() throws { requests = try BoundedQueue(capacity: 4) }

  @Test("A daemon that has no time refuses nothing: it handles the request later")
  func busy() {
    let change = SettingChange(name: "zone", value: .texts(["UTC"]))
    #expect(throws: SettingsNotYetRead.self) {
      try ReloadRequest(after: [change]).run(over: requests, waiting: 0)
    }
    #expect(requests.drain().map(\.changes) == [[change]])
  }
}
