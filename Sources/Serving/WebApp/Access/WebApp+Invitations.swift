import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostItems
import FencepostJSON
import FencepostWebServer

/// Invitations to a list: the page behind a link, and what the owner does with them.
extension WebApp {
  /// Answers the page of an invitation: the form for a name, or what was sent with it.
  func answerInvitation(_ request: HTTPRequest) throws -> HTTPResponse {
    let head = request.head
    func field(_ name: String) -> String {
      (head.method == "POST" ? request.form?.first { $0.name == name }?.value : head.field(name)) ?? ""
    }
    let (key, name) = (field("key"), field("name"))
    let list: ItemCalendar
    do {
      list = try clients.invitedList(key: key)
    } catch let error as ClientError {
      return formPage("invitation.html", to: head, problem: Self.sentence(error), status: 403) { page in
        page.replace(/<section[\s\S]*<\/section>/, with: "")
      }
    }
    let principal = request.principal
    var problem: String?
    if principal?.isOwner == true {
      // The owner who tries the link must stay the owner.
      problem = "You are signed in as the owner. Send this address to the other person."
    } else if head.method == "POST" {
      do {
        let guest =
          if let principal, principal.isClient { try clients.accept(key: key, as: principal) } else {
            try clients.accept(key: key, name: name, browser: Self.browser(head))
          }
        note(.access)
        return joined(guest, head)
      } catch let error as ClientError {
        problem = Self.sentence(error)
      }
    }
    return formPage(
      "invitation.html", to: head, problem: problem, status: problem == nil ? 200 : 403,
      values: ["list": list.title, "key": key, "name": name]
    ) { page in
      // Who is signed in has a name.
      if principal != nil { page.replace(/<label[\s\S]*<\/label>/, with: "") }
      if principal?.isOwner == true { page.replace(/<form[\s\S]*<\/form>/, with: "") }
    }
  }

  /// What the page says of an error.
  private static func sentence(_ error: ClientError) -> String {
    switch error {
    case .endedInvitation: "This invitation was used or has ended. Ask for another one."
    case .nameTaken: "There is somebody with this name. Choose another one."
    case .reservedName, .invalidName: "This name can’t be used. Choose another one."
    case .otherRightsThanInvited:
      "You are signed in with other rights than this invitation gives. Ask for another one."
    default: "This invitation can’t be accepted. Ask for another one."
    }
  }

  /// The page for somebody who has joined, with the password, which is shown this once.
  private func joined(_ guest: ClientRegistry.Guest, _ head: HTTPHead) -> HTTPResponse {
    guard let password = guest.password, let session = guest.sessionKey else {
      return .redirect(to: "/lists")
    }
    var response = formPage(
      "joined.html", to: head,
      values: [
        "name": guest.name, "list": guest.list.title, "user": guest.user, "password": password,
        "calendars": "\(Self.origin(head))/dav/calendars/\(guest.user)/",
      ])
    response.cookies = [Self.sessionCookie(session, for: head)]
    return response
  }

  static let invitationRoutes: [Route] = [
    Route(
      "GET", "/invitations", .write, isOwners: true, "Invitations to lists that still work",
      answer: .each("invitations", .named("ListInvitation"))
    ) { app, _ in
      let open = try app.clients.openInvitations()
      return try app.store.read { reader in
        app.list("invitations", try open.map { try app.storeLines.object($0, in: reader) })
      }
    },
    Route(
      "POST", "/invitations", .write, isOwners: true,
      "Make a link that shares a list with another person; it works once",
      body: .object([
        "list_id": .text, "rights?": .list(.words("read", "write")),
        "days?": JSONSchema.integer(ClientRegistry.invitationDays),
      ]), answer: .named("ListInvitation"), status: 201
    ) { app, call in
      let json = try call.json()
      guard let id = json["list_id"]?.text.map({ Identifier<ItemCalendar>(rawValue: $0) }),
        try app.store.read({ try $0.calendar(id) }) != nil
      else { throw APIError.invalid("there is no such list", pointer: "/list_id") }
      let words = json["rights"].map { $0.list?.map { $0.text ?? "" } ?? [] } ?? ["read", "write"]
      guard words == ["read"] || Set(words) == ["read", "write"] else {
        throw APIError.invalid("rights are read, or read and write", pointer: "/rights")
      }
      let days = json["days"].map { $0.integer ?? 0 } ?? ClientRegistry.usualInvitationDays
      guard ClientRegistry.invitationDays.contains(days) else {
        throw APIError.invalid("must be a whole number of days from 1 to 90", pointer: "/days")
      }
      let (invitation, key) = try app.clients.invite(
        to: id, rights: words.compactMap(Right.init(rawValue:)), days: days)
      var line = try app.store.read { try app.storeLines.object(invitation, in: $0) }
      line.add("link", WebApp.origin(call.request.head) + ClientRegistry.invitationPath(key: key))
      return .json(line.line, status: 201)
    },
    Route("DELETE", "/invitations/{id}", .write, isOwners: true, "Make an invitation's link useless") {
      app, call in
      do {
        try app.clients.revokeInvitation(call["id"])
      } catch let error as ClientError {
        throw APIError.notFound(error.description)
      }
      return HTTPResponse(status: 204)
    },
    Route(
      "GET", "/items/{id}/changes", .read,
      "Who changed an item lately, the latest first; 'by' is null for the owner",
      answer: .each("changes", .object(["own": .flag, "time": .moment], and: OutputSchema.authorMembers))
    ) { app, call in
      try app.store.read { reader in
        let item = try app.found(call, in: reader).item
        let clients = try reader.clientNumbers()
        return app.list(
          "changes",
          try reader.lastSteps(of: item.id).map { step in
            var line = JSONLine()
            line.add(step.author, among: clients)
            line.add("own", step.author == call.principal.author)
            line.add("time", app.firingLines.text(step.time))
            return line
          })
      }
    },
  ]
}
