import FencepostCalDAV
import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography
import Testing

@testable import FencepostSynchronizer
@testable import FencepostWebPush

@Suite struct PushRegistrarTests {
  let server = MemoryAccount()
  let device: AccountDevice
  private static let home = SyncOptions.Pushes.to("https://home.example.org")

  init() throws {
    device = try AccountDevice()
    server.add("/first/", "First")
    server.add("/second/", "Second")
    server.canPush = true
  }

  /// Synchronizes some time later.
  ///
  /// - Returns: The paths of the lists that were registered.
  private func sync(_ pushes: SyncOptions.Pushes, after seconds: Double = 0) throws -> [String] {
    device.clock = device.clock.adding(seconds: seconds)
    server.now = device.clock
    let before = server.registrations
    try device.sync(server, pushes: pushes)
    return server.registrations[before.count...].sorted()
  }

  @Test func eachListIsRegisteredOnceAndAgainBeforeItEnds() throws {
    #expect(try sync(Self.home) == ["/first/", "/second/"])
    #expect(try sync(Self.home, after: 900) == [])
    #expect(try sync(.asBefore, after: 80_000) == [])
    // A day, of which two thirds have passed.
    #expect(try sync(Self.home) == ["/first/", "/second/"])
    let registrations = try server.pushes.map { path, wish in
      (path, wish.endpoint, try #require(wish.publicKey.flatMap { Base64URL.decode($0) }))
    }
    #expect(
      registrations.allSatisfy { $0.1.hasPrefix("https://home.example.org/push/") && $0.1.utf8.count == 73 })
    #expect(registrations.allSatisfy { EllipticKey.isPublicKey($0.2) })
    #expect(Set(registrations.map(\.1)).count == 1)
  }

  @Test func withoutAnAddressNothingIsRegistered() throws {
    #expect(try sync(.to(nil)) == [])
    #expect(try sync(.asBefore) == [])
    #expect(try device.store.read { try $0.syncReceiver(of: 1) } == nil)
  }

  @Test func listsThatDoNotPushAreNotRegistered() throws {
    server.canPush = false
    #expect(try sync(Self.home) == [])
  }

  @Test func anotherAddressReplacesTheFirstAndNoneEndsIt() throws {
    _ = try sync(Self.home)
    let path = try #require(server.pushes["/first/"]?.endpoint.split(separator: "/").last)
    #expect(try sync(.to("https://other.example.org")) == ["/first/", "/second/"])
    #expect(server.pushes["/first/"]?.endpoint == "https://other.example.org/push/\(path)")
    #expect(try sync(.to(nil)) == [])
    #expect(server.pushes.isEmpty)
    #expect(try device.store.read { try $0.syncRegistrations(of: 1) }.isEmpty)
  }

  @Test func aServerThatRefusesIsAskedAgainTheNextDay() throws {
    server.pushTerm = nil
    #expect(try sync(Self.home) == [])
    server.pushTerm = 86_400
    #expect(try sync(Self.home, after: 900) == [])
    #expect(try sync(Self.home, after: 86_400) == ["/first/", "/second/"])
  }

  @Test func aPushIsReadByItsPathAndKeys() throws {
    _ = try sync(Self.home)
    let wish = try #require(server.pushes["/first/"])
    let keeper = AccountSynchronizer(store: device.store)
    let path = String(try #require(wish.endpoint.split(separator: "/").last))
    let receiver = try #require(try device.store.read { try $0.syncReceiver(of: 1) })
    #expect(receiver.path == path)
    func read(_ path: String, _ body: [UInt8]) throws -> AccountSynchronizer.Push {
      try keeper.read(pushTo: path, body, signature: nil)
    }
    #expect(try read(path, [1, 2, 3]) == .unreadable)
    #expect(try read(String(path.reversed()), [1, 2, 3]) == .unknown)
    #expect(try read("", []) == .unknown)
    #expect(try read(path, push(wish, of: ApplicationServer(key: EllipticKey())).body) == .news(account: 1))
  }

  @Test func aPushMustBeSignedByTheServerThatAnnouncedAKey() throws {
    let service = ApplicationServer(key: EllipticKey())
    server.pushKey = service.publicKey
    _ = try sync(Self.home)
    let wish = try #require(server.pushes["/first/"])
    let path = String(try #require(wish.endpoint.split(separator: "/").last))
    func read(_ sender: ApplicationServer?, after seconds: Double = 0) throws -> AccountSynchronizer.Push {
      let now = device.clock.adding(seconds: seconds)
      let (body, signature) = try push(wish, of: sender ?? service)
      return try AccountSynchronizer(store: device.store, clock: { now }).read(
        pushTo: path, body, signature: sender == nil ? nil : signature)
    }
    #expect(try read(service) == .news(account: 1))
    #expect(try read(ApplicationServer(key: EllipticKey())) == .unsigned)
    #expect(try read(nil) == .unsigned)
    // The sender's tokens hold for twelve hours.
    #expect(try read(service, after: 50_000) == .unsigned)
    // A new key is noted by the next synchronization.
    let other = ApplicationServer(key: EllipticKey())
    server.pushKey = other.publicKey
    #expect(try sync(.asBefore) == [])
    #expect(try sync(Self.home) == ["/first/", "/second/"])
    #expect(try read(other) == .news(account: 1))
    #expect(try read(service) == .unsigned)
  }

  /// A message for a registration, with the sender's signature.
  private func push(
    _ wish: PushRegistration, of sender: ApplicationServer
  ) throws -> (body: [UInt8], signature: String) {
    let key = try #require(wish.publicKey.flatMap { Base64URL.decode($0) })
    let subscription = try PushSubscription(
      endpoint: wish.endpoint, publicKey: key,
      secret: try #require(wish.secret.flatMap { Base64URL.decode($0) }), reach: PushReach())
    return try (
      #require(PushEncryption.seal(Array("news".utf8), for: subscription)),
      sender.authorization(for: "https://home.example.org", expires: device.clock.adding(seconds: 43_200))
    )
  }
}
