import FencepostCalDAV
import FencepostWebClient
import FencepostXML
import FoundationEssentials

/// What a server does about invitations (RFC 6638).
public struct CalDAVScheduling: Hashable, Sendable {
  /// Whether it tells the organizer when an attendee's status changes in a calendar.
  public var isAutomatic: Bool
  /// The user's addresses: those of the calendar-user-address-set that are mail addresses.
  public var addresses: [String]

  /// Scheduling.
  public init(isAutomatic: Bool, addresses: [String]) {
    self.isAutomatic = isAutomatic
    self.addresses = addresses
  }
}

extension CalDAVHome {
  /// What the server does about invitations. Two requests.
  ///
  /// - Throws: ``DAVFailure``.
  public func scheduling() throws -> CalDAVScheduling? {
    let names: [XMLName] = [.dav("current-user-principal"), .caldav("calendar-user-address-set")]
    let body = PropertyRequest.listed(names).propfind
    let answer = try session.send("PROPFIND", url, headers: ["Depth: 0"], body: body)
    guard answer.response.status == 207, let found = try? Multistatus(parsing: answer.response.body) else {
      return nil
    }
    // RFC 6638, section 2: the header DAV of any resource that may have scheduling objects.
    let features = (answer.response.headers["dav"] ?? "").lowercased().split(separator: ",")
    let isAutomatic = features.contains { $0.filter { !$0.isWhitespace } == "calendar-auto-schedule" }
    var addresses = Self.addresses(found)
    let principal = found.responses.first?.property(.dav("current-user-principal"))?.first(.dav("href"))?
      .trimmedText
    if addresses.isEmpty, let principal,
      let target = URL(string: principal, relativeTo: answer.url)?.absoluteURL,
      target.host == url.host
    {
      let (of, _) = try session.multistatus("PROPFIND", target, depth: "0", body: body)
      addresses = Self.addresses(of)
    }
    return CalDAVScheduling(isAutomatic: isAutomatic, addresses: addresses)
  }

  private static func addresses(_ multistatus: Multistatus) -> [String] {
    let set = multistatus.responses.first?.property(.caldav("calendar-user-address-set"))
    return (set?.all(.dav("href")) ?? []).map(\.trimmedText).filter { address in
      address.lowercased().hasPrefix("mailto:") && address.count < 300
    }.prefix(50).map { String($0.dropFirst("mailto:".count)) }
  }
}
