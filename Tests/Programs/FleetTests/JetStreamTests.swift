import FencepostJetStream
import Testing

@Suite("The log of a NATS server")
struct JetStreamTests {
  @Test(
    "has an address, which shows no secrets",
    arguments: [
      ("nats://localhost", "nats://localhost:4222"), ("nats://ann:s3cret@host:4333", "nats://host:4333"),
      ("tls://[::1]?cafile=/ca.pem&creds=/me.creds", "tls://[::1]:4222"),
      ("nats://t0ken@host/", "nats://host:4222"),
      ("nats://ann:s3cret@a,b:4333,[::1]", "nats://a:4222,b:4333,[::1]:4222"),
    ])
  func addresses(text: String, shown: String) throws {
    #expect(try NATSAddress(text).description == shown)
  }

  @Test(
    "has no other address",
    arguments: [
      "", "localhost", "http://localhost", "nats://", "nats://host/path", "nats://host?cafile=/ca.pem",
      "nats://host?what=1", "nats://host:99999", "nats://a,,b", "nats://a,http://b", "nats://a,b/path",
    ])
  func wrongAddresses(text: String) {
    #expect(throws: (any Error).self) { try NATSAddress(text) }
  }

  @Test("says of each message where it is in the stream")
  func deliveries() throws {
    let delivery = try #require(
      JetStream.Delivery(reply: "$JS.ACK.FENCEPOST_LOG.Ab1.2.1007.9.1764205372613710365.4"))
    #expect(delivery.consumer == "Ab1")
    #expect((delivery.deliveries, delivery.sequence, delivery.number) == (2, 1_007, 9))
    #expect(delivery.stored == 1_764_205_372_613_710_365)
    #expect(delivery.pending == 4)
    // With a domain and an account.
    let later = JetStream.Delivery(
      reply: "$JS.ACK.hub.ACC.FENCEPOST_LOG.Ab1.2.1007.9.1764205372613710365.4.token")
    #expect(later == delivery)
  }

  @Test(
    "sends no other replies",
    arguments: ["", "_INBOX.a.b", "$JS.ACK.S.C.1.2.3", "$JS.ACK.S.C.1.x.3.4.5", "a.b.c.d.e.f.g.h.i.j"])
  func otherReplies(reply: String) { #expect(JetStream.Delivery(reply: reply) == nil) }
}
