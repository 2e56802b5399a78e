import FencepostCryptography
import FencepostSpatiotemporal
import FencepostTestSupport
import FencepostWebServer
import Foundation
import Testing

@testable import FencepostWebPush

@Suite("Web Push")
struct PushSenderTests {
  private static let now = Instant(microseconds: 1_777_622_400_000_000)

  private func bytes(_ text: some StringProtocol) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

  private func key(_ text: String) throws -> EllipticKey {
    let secret = try bytes(text)
    return try #require(EllipticKey(secret: secret))
  }

  @Test("A message is encrypted as the example of RFC 8291, appendix A")
  func example() throws {
    let sender = try key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    let receiver = try key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
    let secret = try bytes("BTBZMqHH6r4Tts7J_aSIgg")
    let salt = try bytes("DGv6ra1nlYgDCS1FRnbzlw")
    #expect(
      Base64URL.encode(receiver.publicKey)
        == "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    let subscription = try PushSubscription(
      endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
      publicKey: receiver.publicKey,
      secret: secret, reach: PushReach())
    let body = try #require(
      PushEncryption.seal(
        Array("When I grow up, I want to be a watermelon".utf8), for: subscription, key: sender,
        salt: salt))
    #expect(
      Base64URL.encode(body)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    #expect(
      PushReceiver(key: receiver, secret: secret).open(body)
        == Array("When I grow up, I want to be a watermelon".utf8))
  }

  @Test("A signature is valid for its sender, host and time alone")
  func signatures() throws {
    let sender = ApplicationServer(key: EllipticKey(), contact: "mailto:anna@example.org")
    let (origin, endpoint) = ("https://home.example.org", "https://Home.example.org:8443/push/x")
    func header(_ origin: String = origin, lasting seconds: Double = 43_200) -> String {
      sender.authorization(for: origin, expires: Self.now.adding(seconds: seconds))
    }
    func isValid(_ header: String?, by key: EllipticKey = sender.key, after seconds: Double = 0) -> Bool {
      PushSignature.isValid(
        header, by: key.publicKey, for: endpoint, at: Self.now.adding(seconds: seconds))
    }
    #expect(isValid(header()) && isValid(header(), after: 43_000) && isValid(header(origin + ":8443")))
    #expect(isValid(header().replacing("vapid", with: "Vapid").replacing(", ", with: ",")))
    #expect(!isValid(header(), after: 44_000) && !isValid(header(lasting: 100_000)))
    #expect(!isValid(header("https://other.example.org")) && !isValid(header("http://home.example.org")))
    #expect(!isValid(header(), by: EllipticKey()))
    for text in [nil, "", "vapid ", "Basic YTpi", "vapid t=, k=", "vapid t=a.b.c, k=\(sender.publicKey)"] {
      #expect(!isValid(text))
    }
    // A token of another key under the sender's name, and changed claims.
    let foreign = ApplicationServer(key: EllipticKey()).authorization(
      for: origin, expires: Self.now.adding(seconds: 60))
    #expect(!isValid(foreign.split(separator: ",")[0] + ", k=" + sender.publicKey))
    let parts = header().split(separator: ".").map(String.init)
    let longer = header(lasting: 80_000).split(separator: ".").map(String.init)
    #expect(!isValid([parts[0], longer[1], parts[2]].joined(separator: ".")))
  }

  @Test("What is not a message for a receiver is not read")
  func foreign() throws {
    let reach = PushReach()
    let receiver = PushReceiver(key: EllipticKey(), secret: Secret.random(16))
    let subscription = try PushSubscription(
      endpoint: "https://push.example.net/x", publicKey: receiver.key.publicKey, secret: receiver.secret,
      reach: reach)
    let body = try #require(PushEncryption.seal(Array("Milk".utf8), for: subscription))
    #expect(receiver.open(body) == Array("Milk".utf8))
    #expect(PushReceiver(key: receiver.key, secret: Secret.random(16)).open(body) == nil)
    #expect(PushReceiver(key: EllipticKey(), secret: receiver.secret).open(body) == nil)
    for count in body.indices { #expect(receiver.open(Array(body[..<count])) == nil) }
    for index in [0, 20, 21, 30, 86, body.count - 1] {
      var changed = body
      changed[index] ^= 1
      #expect(receiver.open(changed) == nil)
    }
    // A record that is longer than it says, and a body that is too long.
    var short = body
    short.replaceSubrange(16..<20, with: [0, 0, 0, 18])
    #expect(receiver.open(short) == nil)
    #expect(receiver.open(body + [UInt8](repeating: 0, count: 4_096)) == nil)
  }

  private func sender(for service: PushService, contact: String? = nil) throws -> (
    PushSender, PushSubscription
  ) {
    let reach = PushReach(allowedHosts: [service.host])
    let subscription = try PushSubscription(
      endpoint: service.endpoint, publicKey: service.key.publicKey, secret: service.secret, reach: reach)
    let server = ApplicationServer(key: EllipticKey(), contact: contact)
    return (try PushSender(server: server, reach: reach, timeout: 10, clock: { Self.now }), subscription)
  }

  @Test("A push service gets what the browser can read, with its headers and a token that is signed")
  func sends() throws {
    let service = try PushService()
    let (sender, subscription) = try sender(for: service, contact: "mailto:me@example.org")
    try sender.send(
      PushMessage(content: Array("Milk – ½".utf8), timeToLive: 60, urgency: .high, topic: "abc"),
      to: subscription)
    try sender.send(PushMessage(content: [], timeToLive: 0), to: subscription)
    let most = [UInt8](repeating: 0x61, count: PushMessage.maximumBytes)
    try sender.send(PushMessage(content: most, timeToLive: 0), to: subscription)
    #expect(service.messages.map(\.content) == ["Milk – ½", "", String(decoding: most, as: UTF8.self)])
    let headers = try #require(service.messages.first?.headers)
    #expect(headers["ttl"] == "60" && headers["urgency"] == "high" && headers["topic"] == "abc")
    #expect(headers["content-encoding"] == "aes128gcm")
    let authorization = try #require(headers["authorization"])
    let match = try #require(authorization.wholeMatch(of: /vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)/))
    let (key, signature) = (try bytes(match.4), try bytes(match.3))
    #expect(EllipticKey.isSignature(signature, of: Array("\(match.1).\(match.2)".utf8), by: key))
    let claims = String(decoding: try bytes(match.2), as: UTF8.self)
    #expect(
      claims == #"{"aud":"http://\#(service.host)","exp":1777665600,"sub":"mailto:me@example.org"}"#)
    #expect(Set(service.messages.compactMap { $0.headers["authorization"] }).count == 1)
  }

  @Test("A message that is too long is refused before it is sent")
  func tooLong() throws {
    let service = try PushService()
    let (sender, subscription) = try sender(for: service)
    let content = [UInt8](repeating: 0, count: PushMessage.maximumBytes + 1)
    #expect(throws: PushFailure.self) {
      try sender.send(PushMessage(content: content, timeToLive: 0), to: subscription)
    }
    #expect(service.messages.isEmpty)
  }

  @Test(
    "What a service answers says whether to forget, give up or try again",
    arguments: [
      (201, nil), (404, .gone), (410, .gone), (400, .refused("the push service answered 400")),
      (413, .refused("the push service answered 413")),
      (403, .postponed("the push service answered 403", retryAfter: nil)),
      (307, .postponed("the push service answered 307", retryAfter: nil)),
      (429, .postponed("the push service answered 429", retryAfter: 120)),
      (500, .postponed("the push service answered 500", retryAfter: nil)),
    ] as [(UInt32, PushFailure?)])
  func answers(status: UInt32, expected: PushFailure?) throws {
    let service = try PushService { _ in
      HTTPResponse(
        status: status, headers: status == 429 ? ["Retry-After": "120"] : ["Location": "http://127.0.0.1:1/"])
    }
    let (sender, subscription) = try sender(for: service)
    var failure: PushFailure?
    do { try sender.send(PushMessage(content: [1], timeToLive: 0), to: subscription) } catch {
      failure = error
    }
    #expect(failure == expected)
    #expect(service.messages.count == 1)
  }

  @Test(
    "Addresses inside the network, and what programs may read differently, are refused",
    arguments: [
      "http://push.example.net/x", "https://localhost/x", "https://127.0.0.1/x", "https://127.1/x",
      "https://[::1]/x",
      "https://10.0.0.1/", "https://192.168.1.1:8443/x", "https://169.254.169.254/latest",
      "https://[fe80::1]/",
      "https://[::ffff:10.0.0.1]/", "https://router/x", "https://user@push.example.net/x",
      "https://push.example.net\\@10.0.0.1/", "https://push.example.net#@10.0.0.1/", "https:///x",
      "ftp://push.example.net/",
      "file:///etc/passwd", "https://push.example.net:port/", "https://push.example.net/a b",
      "https://пуш.example/",
      "https://%31%30.0.0.1/", "",
    ])
  func reach(endpoint: String) {
    let key = EllipticKey()
    #expect(throws: PushRefusal.self) {
      _ = try PushSubscription(
        endpoint: endpoint, publicKey: key.publicKey, secret: Secret.random(16), reach: PushReach())
    }
  }

  @Test("A subscription needs keys that are some")
  func keys() {
    let good = EllipticKey().publicKey
    for (key, secret, field) in [
      ([], Secret.random(16), "p256dh"), (good.map { $0 ^ 1 }, Secret.random(16), "p256dh"),
      (good, [1], "auth"),
    ] {
      let refusal = #expect(throws: PushRefusal.self) {
        _ = try PushSubscription(
          endpoint: "https://push.example.net/x", publicKey: key, secret: secret, reach: PushReach())
      }
      #expect(refusal?.field == field)
    }
  }
}
