import Testing

@testable import FencepostWebClient

@Suite("Public addresses")
struct PublicAddressTests {
  @Test(
    "Addresses of own networks, this machine, groups and tunnels are not public",
    arguments: [
      "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "169.254.169.254", "172.16.0.1",
      "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1",
      "198.19.255.255",
      "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
      "::ffff:127.0.0.1",
      "::ffff:192.168.1.1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1",
      "2002:a00:1::1",
      "3fff::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "5f00::1",
    ])
  func inside(address: String) { #expect(PublicAddress.contains(address) == false) }

  @Test(
    "All others are",
    arguments: [
      "1.1.1.1", "9.255.255.255", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1",
      "192.169.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "::ffff:1.1.1.1", "64:ff9b::101:101",
      "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1",
    ])
  func outside(address: String) { #expect(PublicAddress.contains(address) == true) }

  @Test("A name is neither", arguments: ["localhost", "example.org", "127.1", "", "0x7f.1", "[::1]"])
  func names(text: String) { #expect(PublicAddress.contains(text) == nil) }

  @Test("A request for public addresses only does not reach this machine, by name or by number")
  func request() throws {
    let client = try HTTPClient()
    for host in ["127.0.0.1", "localhost", "[::1]"] {
      var request = HTTPClient.Request(url: "http://\(host):9/")
      request.isPublicOnly = true
      let failure = #expect(throws: HTTPClient.Failure.self) { try client.send(request) }
      #expect(failure?.description == "the server has no public address")
    }
  }
}
