import Testing

@testable import FencepostWebClient

@Suite("Proxies")
struct ProxyTests {
  @Test(
    "This machine and the hosts in the environment variable need no proxy",
    arguments: [
      (nil, "localhost,127.0.0.1,::1"), ("", "localhost,127.0.0.1,::1"), ("*", "*"),
      (".example.org,nas", "localhost,127.0.0.1,::1,.example.org,nas"),
    ])
  func exceptions(environment: String?, hosts: String) {
    #expect(HTTPClient.hostsWithoutProxy(besides: environment) == hosts)
  }
}
