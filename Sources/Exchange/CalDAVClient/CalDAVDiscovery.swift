import FencepostCalDAV
import FencepostXML
public import FoundationEssentials

/// Finds a user's calendars from an address of a server, its name, or a mail address (RFC 6764).
///
/// Asks the address itself, then `/.well-known/caldav` on its host. For a name or mail address, first asks
/// the DNS for the server.
public struct CalDAVDiscovery {
  /// Looks up SRV and TXT records.
  private let records: (String) -> ServiceRecords

  /// A discovery.
  ///
  /// - Parameter records: Looks up the records of a domain; by default with the system's resolver.
  public init(records: @escaping (String) -> ServiceRecords = ServiceRecords.look) { self.records = records }

  /// The addresses to try.
  public struct Candidates: Hashable, Sendable {
    /// The addresses, the most probable first.
    public var urls: [URL]
    /// The user name, if the text was a mail address.
    public var user: String?
  }

  /// The possible addresses for a text. Asks the DNS for a name or mail address.
  ///
  /// - Parameter text: An `https:` or `http:` address, the name of a server, or a mail address.
  /// - Throws: ``DAVFailure`` for any other text, or if the domain names a server of another domain.
  public func candidates(for text: String) throws -> Candidates {
    if let range = text.firstRange(of: "://") {
      guard ["https", "http"].contains(text[..<range.lowerBound].lowercased()), let url = URL(string: text),
        url.host?.isEmpty == false
      else {
        throw DAVFailure(.unreadable, "'\(text)' is not an address; use one like https://cloud.example.org")
      }
      var plain = URLComponents(url: url, resolvingAgainstBaseURL: true)
      plain?.user = nil
      plain?.password = nil
      let address = plain?.url ?? url
      return Candidates(urls: [address] + [Self.wellKnown(address)].compactMap(\.self), user: nil)
    }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let domain = String(parts.last ?? "")
    guard parts.count <= 2, domain.contains("."), !domain.contains("/"),
      let home = URL(string: "https://\(domain)/")
    else {
      throw DAVFailure(
        .unreadable, "'\(text)' is not an address, a server's name or a mail address")
    }
    let user = parts.count == 2 ? text : nil
    let found = records(domain)
    var urls: [URL] = []
    if let host = found.host {
      let isSame = host == domain || host.hasSuffix("." + domain)
      guard isSame else {
        // RFC 6764, section 8: the DNS answer may be forged.
        throw DAVFailure(
          .unreadable,
          "\(domain) names the server \(host) for calendars; if you trust it, use the address https://\(host)"
        )
      }
      let base = "https://\(host)" + (found.port.map { $0 == 443 ? "" : ":\($0)" } ?? "")
      urls = [found.path, "/.well-known/caldav", "/"].compactMap { path in
        path.flatMap { URL(string: base + $0) }
      }
    }
    urls += [Self.wellKnown(home), home].compactMap(\.self)
    return Candidates(urls: urls, user: user)
  }

  private static func wellKnown(_ url: URL) -> URL? {
    URL(string: "/.well-known/caldav", relativeTo: url)?.absoluteURL
  }

  /// Finds the calendar home of the session's user.
  ///
  /// - Parameter candidates: The addresses to try, in this order.
  /// - Throws: The first ``DAVFailure`` if all candidates fail.
  public func home(at candidates: [URL], session: DAVSession) throws -> URL {
    var first: DAVFailure?
    for url in candidates {
      do {
        if let home = try home(at: url, session: session) { return home }
      } catch let failure as DAVFailure {
        // The server's other addresses would answer the same, and a wrong password may lock the account.
        if failure.kind == .unauthorized || failure.kind == .later { throw failure }
        first = first ?? failure
      }
    }
    throw first
      ?? DAVFailure(
        .unreadable, "no calendars found; use the address that the server's help names for CalDAV")
  }

  private func home(at url: URL, session: DAVSession) throws -> URL? {
    let names: [XMLName] = [
      .dav("current-user-principal"), .caldav("calendar-home-set"), .dav("resourcetype"),
    ]
    var url = url
    for _ in 0..<3 {
      let (multistatus, base) = try session.multistatus(
        "PROPFIND", url, depth: "0", body: PropertyRequest.listed(names).propfind)
      func target(_ name: XMLName) -> URL? {
        multistatus.responses.lazy.compactMap { $0.property(name)?.hrefs.first { !$0.isEmpty } }.first
          .flatMap { URL(string: $0, relativeTo: base)?.absoluteURL }
      }
      if let home = target(.caldav("calendar-home-set")) { return home }
      if multistatus.responses.contains(where: {
        $0.property(.dav("resourcetype"))?.has(.caldav("calendar")) ?? false
      }) {
        return base
      }
      guard let principal = target(.dav("current-user-principal")), principal != url else { return nil }
      url = principal
    }
    return nil
  }
}
