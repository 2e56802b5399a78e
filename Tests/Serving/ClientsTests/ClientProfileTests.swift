import FencepostCalendarModel
import FencepostCalendarStore
import FencepostWebServer
import Synchronization
import Testing

@testable import FencepostClients

@Suite("One-time addresses that set up devices")
struct ClientProfileTests {
  @Test("A key hands out user and password once, and the store does not have the password")
  func once() throws {
    let store = try CalendarStore()
    let registry = ClientRegistry(store: store, clock: { .epoch })
    let (user, password) = try registry.add("Anna's phone", rights: [.read])
    let key = try registry.makeProfileKey(user: user, password: password)
    #expect(try store.read { try $0.setting("client-profile") }?.contains(password) == false)
    #expect(try registry.redeemProfile(key: "wrong") == nil)
    let found = try #require(try registry.redeemProfile(key: key))
    #expect(found == (user, password))
    #expect(try registry.redeemProfile(key: key) == nil)
  }

  @Test("A key works for ten minutes, and only the last one")
  func limits() throws {
    let store = try CalendarStore()
    let early = ClientRegistry(store: store, clock: { .epoch })
    let late = ClientRegistry(store: store, clock: { Instant.epoch.adding(seconds: 601) })
    let first = try early.makeProfileKey(user: "a", password: "1")
    #expect(try late.redeemProfile(key: first) == nil)
    let second = try early.makeProfileKey(user: "b", password: "2")
    #expect(try early.redeemProfile(key: first) == nil)
    #expect(try early.redeemProfile(key: second)?.user == "b")
  }
}
