import FencepostActions
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostInterchange
import FencepostItems
import FencepostJSON
import FencepostPhrases
import FencepostWebServer

extension WebApp {
  static let sourceRoutes: [Route] = [
    Route(
      "GET", "/sources", .read, needsAllLists: true, "Sources, with the identifiers of their lists",
      answer: .each("sources", .named("Source"))
    ) {
      app, _ in
      try app.store.read { reader in
        app.list("sources", try reader.sources().map { try app.storeLines.object($0, in: reader) })
      }
    },
    Route(
      "POST", "/sources", .write, needsAllLists: true, "Add a source", body: .object(["title": .text]),
      answer: .named("Source"), status: 201
    ) { app, call in
      let source = Source(title: try app.title(call.json()))
      return try app.change(.addSource, source.title) { writer in
        try writer.reader.checkName(of: source)
        try writer.save(source)
        return .json(try app.storeLines.object(source, in: writer.reader).line, status: 201)
      }
    },
    Route(
      "PATCH", "/sources/{id}", .write, needsAllLists: true, "Change the name of a source",
      body: .object(["title": .text]), answer: .named("Source")
    ) { app, call in
      let title = try app.title(call.json())
      return try app.change(.renameSource, title) { writer in
        var source = try app.source(call, in: writer.reader)
        source.title = title
        try writer.reader.checkName(of: source)
        try writer.save(source)
        return .json(try app.storeLines.object(source, in: writer.reader).line)
      }
    },
    Route("DELETE", "/sources/{id}", .write, needsAllLists: true, "Remove a source with its lists and items")
    {
      app, call in
      let title = try app.store.read { try app.source(call, in: $0).title }
      try app.change(.removeSource, title) { writer in
        _ = try writer.remove(try app.source(call, in: writer.reader).id)
      }
      return HTTPResponse(status: 204)
    },
    Route(
      "GET", "/subscriptions", .read, needsAllLists: true, "Calendars that are subscribed to",
      answer: .each("subscriptions", .named("Subscription"))
    ) { app, _ in
      try app.store.read { reader in
        app.list("subscriptions", try reader.subscriptions().map { try app.object($0, in: reader) })
      }
    },
    // The daemon loads any address that this machine reaches.
    Route(
      "POST", "/subscriptions", .write, isOwners: true, isSlow: true, "Subscribe to a calendar's address",
      body: .object(["address": .text, "title?": .text, "refresh_seconds?": .integer]),
      answer: .named("Subscription"), status: 201
    ) {
      app, call in
      try app.subscribe(call)
    },
    Route(
      "POST", "/subscriptions/{id}/refresh", .write, needsAllLists: true, isSlow: true,
      "Load a subscription now", answer: .named("Subscription")
    ) { app, call in
      let subscription = try app.store.read { try app.subscription(call, in: $0) }
      let outcome = try Subscriber(store: app.store).refresh(subscription, at: app.clock())
      return try app.store.read { reader in
        var line = try app.object(try app.subscription(call, in: reader), in: reader)
        if case .merged = outcome { line.add("changed", true) } else { line.add("changed", false) }
        return .json(line.line)
      }
    },
    Route(
      "DELETE", "/subscriptions/{id}", .write, needsAllLists: true, "Remove a subscription with its items"
    ) {
      app, call in
      let title = try app.store.read { reader in
        try reader.calendar(app.subscription(call, in: reader).calendar)?.title ?? ""
      }
      try app.change(.unsubscribe, title) { writer in
        _ = try writer.remove(try app.subscription(call, in: writer.reader).calendar)
      }
      return HTTPResponse(status: 204)
    },
  ]

  // MARK: Sources

  private func source(_ call: Route.Call, in reader: borrowing StoreReader) throws -> Source {
    guard let source = try reader.sources().first(where: { $0.id.rawValue == call["id"] }) else {
      throw APIError.notFound("no source '\(call["id"])'")
    }
    guard source.kind == .local else { throw APIError.forbidden("'\(source.title)' can't be changed here") }
    return source
  }

  // MARK: Subscriptions

  private func object(_ subscription: Subscription, in reader: borrowing StoreReader) throws -> JSONLine {
    let address = (try? SubscriptionAddress(subscription.address))?.description ?? subscription.address
    return try storeLines.object(
      subscription, address: address, interval: subscription.effectiveInterval, in: reader)
  }

  private func subscription(_ call: Route.Call, in reader: borrowing StoreReader) throws -> Subscription {
    guard let subscription = try reader.subscription(Identifier(rawValue: call["id"])) else {
      throw APIError.notFound("no subscription '\(call["id"])'")
    }
    return subscription
  }

  private func subscribe(_ call: Route.Call) throws -> HTTPResponse {
    let json = try call.json()
    // A path would let a client read files on this machine.
    guard let text = json["address"]?.text, text.prefixMatch(of: /(?i:https?|webcals?):\/\//) != nil else {
      throw APIError.invalid(
        "must be an address such as https://example.org/holidays.ics", pointer: "/address")
    }
    let title = try json["title"].map { _ in try self.title(json) }
    let interval = json["refresh_seconds"]?.integer
    guard interval ?? .max >= Subscriber.minimumInterval else {
      throw APIError.invalid("must be 60 or more", pointer: "/refresh_seconds")
    }
    do {
      let (calendar, _, _) = try Subscriber(store: store).subscribe(
        to: SubscriptionAddress(text), title: title, interval: interval, at: clock())
      return try store.read { reader in
        guard let subscription = try reader.subscription(calendar.id) else {
          throw APIError.conflict("the subscription was removed in the meantime")
        }
        return .json(try object(subscription, in: reader).line, status: 201)
      }
    } catch let error as InterchangeError {
      throw APIError.conflict("\(error)")
    }
  }
}
