import FencepostAddresses
import FencepostCalendarModel
import FencepostClients
import FencepostItems
import FencepostJSON
import FencepostQRCodes
import FencepostWebServer

extension WebApp {
  static let phoneRoutes: [Route] = [
    Route(
      "POST", "/phones", .write, isOwners: true,
      "Set up an app on a phone, with a QR code and a client of its own",
      body: .object([
        "app": .words("owntracks", "overland", "traccar", "caldav"), "name": .text, "broker?": .text,
      ]),
      answer: .named("Phone"), status: 201
    ) {
      app, call in
      let json = try call.json()
      guard let kind = json["app"]?.text.flatMap(PhoneApp.init(rawValue:)) else {
        let known = PhoneApp.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIError.invalid("must be one of \(known)", pointer: "/app")
      }
      guard let name = json["name"]?.text, name.contains(where: { !$0.isWhitespace }), name.utf8.count <= 100,
        !name.unicodeScalars.contains(where: \.isControl)
      else {
        throw APIError.invalid(
          "a phone needs a name of at most 100 bytes without control characters", pointer: "/name")
      }
      if let address = json["broker"]?.text {
        guard kind == .ownTracks, let broker = PhoneSetup.Broker(address) else {
          throw APIError.invalid("must be mqtts://USER:PASSWORD@HOST, for OwnTracks", pointer: "/broker")
        }
        do throws(ClientError) {
          try PhoneSetup.checkReach(of: broker.host)
        } catch {
          throw APIError.invalid(error.description, pointer: "/broker")
        }
        return WebApp.response(PhoneSetup(broker: broker, name: name), for: kind)
      }
      let head = call.request.head
      do {
        let server = try app.serverForPhones(head)
        let (user, password) = try app.clients.add(name, rights: kind.rights)
        return WebApp.response(
          PhoneSetup(kind, server: server, name: name, user: user, password: password), for: kind)
      } catch let error as ClientError {
        throw APIError.invalid(error.description, pointer: "/name")
      }
    }
  ]

  /// The server's address as a phone reaches it: as this browser does, or by the name of the settings if the
  /// browser is on this machine.
  ///
  /// - Throws: ``ClientError/unreachable(_:)`` if phones can't reach it.
  private func serverForPhones(_ head: HTTPHead) throws(ClientError) -> String {
    let scheme = head.isSecure ? "https" : "http"
    let here = "\(scheme)://\(head.headers["host"] ?? "localhost")"
    let host = PhoneSetup.host(ofServer: here)
    guard HostName.isLoopback(host), let name = surroundings.hosts.first(where: { !HostName.isLoopback($0) })
    else {
      try PhoneSetup.checkReach(of: host)
      return here
    }
    let port = here.split(separator: ":").last.flatMap { UInt16($0) }
    return "\(scheme)://\(HostName.text(name))" + (port.map { ":\($0)" } ?? "")
  }

  private static func response(_ setup: PhoneSetup, for app: PhoneApp) -> HTTPResponse {
    .json(setup.object(for: app, svg: QRCode(setup.link)?.svg).line, status: 201)
  }
}
