import FoundationEssentials
import Testing

@testable import FencepostCalDAVClient

@Suite struct CredentialTests {
  @Test(arguments: [
    ("https://cloud.example.org/dav", "https://cloud.example.org/other", true),
    ("https://caldav.icloud.com", "https://p42-caldav.icloud.com/123", true),
    ("https://example.org", "https://dav.example.org", true),
    ("https://cloud.example.org", "http://cloud.example.org", false),
    ("http://localhost:5232", "http://localhost:5232/a", true),
    ("http://localhost:5232", "http://localhost:80/a", false),
    ("http://cloud.example.org", "https://cloud.example.org", true),
    ("https://cloud.example.org", "https://example.com", false),
    ("https://example.com", "https://example.net", false),
    ("https://example.co.uk", "https://evil.co.uk", false),
    ("https://cloud.example.org", "https://cloud.example.org.evil.com", false),
    ("https://anna.duckdns.org", "https://evil.duckdns.org", false),
    ("https://dav.anna.duckdns.org", "https://cal.anna.duckdns.org", true),
    ("https://anna.github.io", "https://evil.github.io", false),
    ("https://anna.gouv.fr", "https://evil.gouv.fr", false),
    ("https://duckdns.org", "https://evil.duckdns.org", false),
    ("https://10.0.0.1", "https://evil.10.0.0.1", false),
    ("https://10.0.0.1", "https://11.0.0.1", false),
  ])
  func credentialsGoOnlyToTheServerTheyBelongTo(origin: String, target: String, belong: Bool) throws {
    let (one, other) = (try #require(URL(string: origin)), try #require(URL(string: target)))
    #expect(DAVCredentials.belong(to: one, at: other) == belong)
  }
}
