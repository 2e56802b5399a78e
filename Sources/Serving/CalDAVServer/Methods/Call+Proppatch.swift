import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostWebServer
import FencepostXML

/// PROPPATCH, MKCALENDAR and the extended MKCOL.
extension Call {
  /// The most bytes of a property without a meaning here.
  static let maximumPropertyBytes = 64 << 10
  /// The most such properties of a resource.
  static let maximumProperties = 100

  func proppatch() throws -> HTTPResponse {
    let update = try PropertyUpdate(parsing: request.body)
    let resource = try store.read { try self.resource(in: $0) }
    let (list, name): (ItemCalendar, String?)
    switch resource {
    case .list(let found): (list, name) = (found, nil)
    case .object(let found, let object): (list, name) = (found, object)
    default: throw DAVRefusal.needPrivileges
    }
    guard canWrite(list), name != nil || !list.isImmutable else { throw DAVRefusal.needPrivileges }
    let href = href(of: resource)
    do {
      let propstats = try change("change properties of '\(list.title)'") { writer in
        if let name, try writer.reader.storedObject(named: name, in: list.id) == nil {
          throw DAVRefusal.notFound
        }
        let failures = try apply(update.changes, to: list, object: name, in: writer)
        // All or nothing (RFC 4918, section 9.2).
        guard failures.isEmpty else { throw PropertyFailures(all: failures) }
        return [Multistatus.Propstat(status: 200, properties: update.changes.map { XMLElement($0.name) })]
      }
      // RFC 8144, section 2.3: a client that wants little hears only of failures.
      if prefersMinimal {
        return HTTPResponse(status: 204, headers: ["Preference-Applied": "return=minimal"])
      }
      return .multistatus(Multistatus([.init(href: href, propstats: propstats)]))
    } catch let failures as PropertyFailures {
      return .multistatus(
        Multistatus([.init(href: href, propstats: failures.propstats(of: update.changes.map(\.name)))]))
    }
  }

  /// Whether the client asks for short answers (RFC 7240, section 4.2).
  private var prefersMinimal: Bool {
    request.head.headers["prefer"]?.lowercased().split(whereSeparator: { ",;".contains($0) }).contains {
      $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } == "return=minimal"
    } ?? false
  }

  /// Applies changes of properties.
  ///
  /// - Returns: The changes that failed.
  private func apply(
    _ changes: [PropertyUpdate.Change], to old: ItemCalendar, object: String?,
    in writer: borrowing StoreWriter
  ) throws -> [PropertyFailures.One] {
    var failures: [PropertyFailures.One] = []
    var list = try writer.reader.calendar(old.id) ?? old
    for change in changes {
      let name = change.name
      if PropertyNames.protected.contains(name) {
        failures.append(.init(name: name, status: 403, condition: .dav("cannot-modify-protected-property")))
        continue
      }
      if object == nil, PropertyNames.settable.contains(name) {
        if !set(change, of: &list) { failures.append(.init(name: name, status: 409, condition: nil)) }
      }
      // Keep the client's property with its attributes, in addition to its effect here.
      switch change {
      case .remove:
        try writer.removeProperty(namespace: name.namespace, name: name.local, of: object, in: list.id)
      case .set(let property):
        if name == .dav("displayname"), object == nil { continue }
        if name == .caldav("calendar-timezone"), ObjectFilter.zoneName(in: property.text) == nil {
          failures.append(.init(name: name, status: 403, condition: .caldav("valid-calendar-data")))
          continue
        }
        let value = String(decoding: property.document, as: UTF8.self)
        let others = try writer.reader.calendarProperties(of: object, in: list.id)
          .filter { $0.name != name.local || $0.namespace != name.namespace }
        guard value.utf8.count <= Self.maximumPropertyBytes, others.count < Self.maximumProperties else {
          failures.append(.init(name: name, status: 507, condition: nil))
          continue
        }
        try writer.set(
          CalendarProperty(namespace: name.namespace, name: name.local, value: value), of: object, in: list.id
        )
      }
    }
    if list != old { try writer.save(list) }
    return failures
  }

  /// Sets the name or colour of a list. False if the value is invalid.
  private func set(_ change: PropertyUpdate.Change, of list: inout ItemCalendar) -> Bool {
    switch change {
    case .remove(.apple("calendar-color")): list.color = nil
    case .remove: return false
    case .set(let property):
      let text = property.trimmedText
      if property.name == .apple("calendar-color") {
        guard let color = Color(hexadecimal: text) else { return false }
        list.color = color
      } else {
        guard let title = Self.title(text) else { return false }
        list.title = title
      }
    }
    return true
  }

  private static func title(_ text: String) -> String? {
    let title = String(text.withoutControls.prefix(200))
    return title.isEmpty ? nil : title
  }

  // MARK: New lists

  func makeCollection(_ method: CollectionCreation.Method) throws -> HTTPResponse {
    let creation = try CollectionCreation(method, parsing: request.body)
    guard segments.count == 4, segments.starts(with: ["dav", "calendars", user]) else {
      throw DAVRefusal(
        .caldav("calendar-collection-location-ok"), status: 403, "create new lists in \(homeHref)")
    }
    guard creation.makesCalendar else {
      throw DAVRefusal(.dav("valid-resourcetype"), "only calendars can be created here")
    }
    guard canWrite, principal.lists == nil else { throw DAVRefusal.needPrivileges }
    let id = Identifier<ItemCalendar>(rawValue: segments[3])
    let list = try self.list(id, with: creation.properties)
    let changes = creation.properties.filter { !Self.isTaken($0.name) }.map(PropertyUpdate.Change.set)
    try change("make the list '\(list.title)'") { writer in
      guard try writer.reader.calendar(id) == nil else {
        throw DAVRefusal(.dav("resource-must-be-null"), status: 405, "there is a list at this address")
      }
      var list = list
      list.source = try writer.defaultCalendar(for: list.entities.contains(.events) ? .events : .reminders)
        .source
      try writer.save(list)
      let failures = try apply(changes, to: list, object: nil, in: writer)
      if let failure = failures.first {
        throw DAVRefusal(failure.condition ?? .dav("cannot-modify-protected-property"))
      }
    }
    return HTTPResponse(status: 201, headers: ["Cache-Control": "no-cache"])
  }

  /// Whether ``list(_:with:)`` accepts a property.
  private static func isTaken(_ name: XMLName) -> Bool {
    [.dav("resourcetype"), .caldav("supported-calendar-component-set")].contains(name)
  }

  private func list(_ id: Identifier<ItemCalendar>, with properties: [XMLElement]) throws -> ItemCalendar {
    guard id.rawValue.utf8.count <= 200 else {
      throw DAVRefusal(status: 403, "the name of the list is too long")
    }
    var entities: ItemCalendar.Entities = [.events, .reminders]
    if let set = properties.first(where: { $0.name == .caldav("supported-calendar-component-set") }) {
      let names = set.all(.caldav("comp")).compactMap { $0.attribute("name")?.uppercased() }
      entities = []
      if names.contains("VEVENT") { entities.insert(.events) }
      if names.contains("VTODO") { entities.insert(.reminders) }
      guard !entities.isEmpty else {
        throw DAVRefusal(.caldav("supported-calendar-component"), "a list takes VEVENT, VTODO or both")
      }
    }
    let name = properties.first { $0.name == .dav("displayname") }.flatMap { Self.title($0.trimmedText) }
    return ItemCalendar(
      id: id, source: Identifier(rawValue: ""), title: name ?? Self.title(id.rawValue) ?? "List",
      entities: entities)
  }
}

/// Properties that can't be changed.
struct PropertyFailures: Error {
  struct One {
    var name: XMLName
    var status: Int
    var condition: XMLName?
  }

  var all: [One]

  /// These properties with their status, and the others, which failed because of them.
  func propstats(of names: [XMLName]) -> [Multistatus.Propstat] {
    let failed = Set(all.map(\.name))
    let others = names.filter { !failed.contains($0) }
    return all.map {
      Multistatus.Propstat(
        status: $0.status, properties: [XMLElement($0.name)],
        conditions: $0.condition.map { [XMLElement($0)] } ?? [])
    } + (others.isEmpty ? [] : [.init(status: 424, properties: others.map { XMLElement($0) })])
  }
}
