import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Testing

@Suite("Donations of another process")
struct DonationTests {
  @Test(
    "An app without access donates a reservation, which waits in the inbox under its name; again, it cancels it"
  )
  func donation() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    #expect(try Peer.output(["donate", "confirmed"], store: path).isEmpty)
    let store = try CalendarStore(path: path)
    let suggestion = try #require(try store.read { try $0.suggestions() }.first)
    #expect(suggestion.app == "FencepostEventKitTestPeer")
    #expect(suggestion.title == "Supper at the Mill")
    #expect(suggestion.reference == "booking-77")
    #expect(suggestion.state == .proposed)
    #expect(try Peer.output(["status"], store: path) == "0 0")
    #expect(try Peer.output(["donate", "canceled"], store: path).isEmpty)
    #expect(try store.read { try $0.suggestions() }.map(\.state) == [.cancelled])
  }
}
