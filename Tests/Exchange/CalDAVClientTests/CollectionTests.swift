import FencepostReconciliation
import FencepostTestSupport
import FoundationEssentials
import Synchronization
import Testing

@testable import FencepostCalDAVClient

@Suite struct CollectionTests {
  private typealias Response = LoopbackServer.Response

  /// A server whose report fails or leaves objects out, as servers do for what they can't write as XML.
  private final class Server: Sendable {
    let objects: [String: String]
    /// The objects for which a report fails with this status.
    let failing: Set<String>
    let status: Int
    /// The objects that a report leaves out, and those that GET does not give.
    let hidden: Set<String>
    let lost: Set<String>
    let requests = Mutex<[String]>([])

    init(
      _ objects: [String: String], failing: Set<String> = [], status: Int = 500, hidden: Set<String> = [],
      lost: Set<String> = []
    ) {
      self.objects = objects
      self.failing = failing
      self.status = status
      self.hidden = hidden
      self.lost = lost
    }

    func answer(_ request: LoopbackServer.Request) -> Response {
      requests.withLock { $0.append("\(request.method) \(request.path)") }
      if request.method == "GET" {
        guard let text = objects[request.path], !lost.contains(request.path) else {
          return Response(status: failing.contains(request.path) ? status : 404)
        }
        return .text(text, ["ETag": "\"get\""])
      }
      let body = String(decoding: request.body, as: UTF8.self)
      let names = objects.keys.filter { body.contains(">\($0)<") }.sorted()
      if names.contains(where: failing.contains) { return Response(status: status) }
      let responses = names.filter { !hidden.contains($0) }.map { name in
        "<d:response><d:href>\(name)</d:href><d:propstat><d:prop><d:getetag>\"1\"</d:getetag>"
          + "<c:calendar-data>\(objects[name] ?? "")</c:calendar-data></d:prop>"
          + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
      }
      let text =
        "<d:multistatus xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\">\(responses.joined())</d:multistatus>"
      return Response(status: 207, headers: ["Content-Type": "application/xml"], body: Array(text.utf8))
    }
  }

  private func read(_ server: Server) throws -> [String: String] {
    let loopback = try LoopbackServer { server.answer($0) }
    let url = try #require(URL(string: loopback.address("/c/")))
    let session = try DAVSession(origin: url, credentials: nil)
    let calendar = RemoteCalendar(
      url: url, name: "/c/", title: "Tasks", color: nil, takesEvents: false, takesReminders: true,
      isWritable: true, changeTag: nil, token: nil, canSync: true, canPush: false, pushKey: nil, origin: nil)
    let found = try CalDAVCollection(session: session, calendar: calendar).read(server.objects.keys.sorted())
    #expect(Set(found.map(\.name)).count == found.count)
    return Dictionary(uniqueKeysWithValues: found.map { ($0.name, String(decoding: $0.text, as: UTF8.self)) })
  }

  private static func objects(_ count: Int) -> [String: String] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ("/c/\(1_000 + $0).ics", "text \($0)") })
  }

  @Test func controlCharactersAreTakenOut() throws {
    let server = Server(["/c/1.ics": "a\u{0B}b&#12;c", "/c/2.ics": "second"])
    #expect(try read(server) == ["/c/1.ics": "abc", "/c/2.ics": "second"])
    #expect(server.requests.withLock(\.count) == 1)
    // Those of an object that only GET gives too.
    let other = Server(["/c/1.ics": "a\u{0B}b"], hidden: ["/c/1.ics"])
    #expect(try read(other) == ["/c/1.ics": "ab"])
  }

  @Test(arguments: [500, 400, 403, 404, 200]) func oneObjectThatAReportFailsForIsAskedForAlone(status: Int)
    throws
  {
    let objects = Self.objects(60)
    let server = Server(objects, failing: ["/c/1023.ics"], status: status)
    #expect(try read(server) == objects)
  }

  @Test func whatTheServerDoesNotGiveIsLeftOut() throws {
    var objects = Self.objects(60)
    let names: Set = ["/c/1001.ics", "/c/1002.ics", "/c/1059.ics"]
    #expect(try read(Server(objects, hidden: names)) == objects)
    let server = Server(objects, hidden: names, lost: names)
    for name in names { objects[name] = nil }
    #expect(try read(server) == objects)
    let one = Server(objects, failing: ["/c/1000.ics"], lost: ["/c/1000.ics"])
    objects["/c/1000.ics"] = nil
    #expect(try read(one) == objects)
  }

  @Test func aServerThatFailsForEverythingIsNotAskedForEachObject() throws {
    let objects = Self.objects(1_000)
    let server = Server(objects, failing: Set(objects.keys), lost: Set(objects.keys))
    #expect(throws: DAVFailure.self) { try read(server) }
    #expect(server.requests.withLock(\.count) < 20)
  }
}
