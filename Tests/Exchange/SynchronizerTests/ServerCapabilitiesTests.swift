import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import Testing

@testable import FencepostSynchronizer

@Suite struct ServerCapabilitiesTests {
  @Test func areReadAsTheyWereWritten() {
    var known = ServerCapabilities()
    known.changes = .collectionTag
    known.createsLists = false
    known.keepsPlaces = true
    var account = SyncAccount(kind: .calDAV, address: "memory")
    account.capabilities = known.json
    #expect(ServerCapabilities(of: account) == known)
    #expect(known.limits == ["creates no lists"])
    account.capabilities = "not JSON"
    #expect(ServerCapabilities(of: account) == ServerCapabilities())
  }

  @Test func areLearntFromWhatTheServerDoes() throws {
    let server = MemoryServer()
    server.habits.cutsValues = true
    let device = try Device()
    try device.add("a", "Milk") { item in
      let place = StructuredLocation(
        title: "Home", coordinate: Coordinate(latitude: 52.4, longitude: 13.1), radius: 100)
      item.alarms = [Alarm(proximity: ProximityTrigger(.enter, at: place))]
    }
    let sync = CollectionSync(
      store: device.store, peer: server, collection: try device.collection, isWritable: true,
      options: SyncOptions(), now: device.clock)
    try sync.run()
    #expect(sync.learned.keepsPlaces == false)
    #expect(sync.learned.saysTags == true)
    var later = ServerCapabilities()
    later.keepsPlaces = true
    var known = sync.learned
    known.learn(later)
    #expect(known.keepsPlaces == false)
  }
}
