import CalendarModel
import CalendarStore
import CommandLineTable

extension StoreReader {
  /// The lists and calendars of a name, in any case where none has it exactly.
  ///
  /// - Throws: Where there is none, with the names that there are.
  borrowing func lists(
    called name: String, for entities: ItemCalendar.Entities = [.events, .reminders]
  ) throws -> [ItemCalendar] {
    let all = try calendars(for: entities)
    let exact = all.filter { $0.title == name }
    if !exact.isEmpty { return exact }
    let wanted = name.lowercased()
    let found = all.filter { $0.title.lowercased() == wanted }
    guard found.isEmpty else { return found }
    // Two lists of one name are told apart by their identifiers.
    let identified = name.count < 4 ? [] : all.filter { $0.id.rawValue.lowercased().hasPrefix(wanted) }
    guard identified.isEmpty else { return identified }
    let what = entities == .events ? "calendar" : entities == .reminders ? "list" : "list or calendar"
    let near = Spelling.nearest(to: name, among: all.map(\.title))
    let known = (near.isEmpty ? Array(all.map(\.title).prefix(8)) : near).map { "'\($0)'" }
    let hint =
      known.isEmpty
      ? ""
      : near.isEmpty
        ? "; there \(all.count == 1 ? "is" : "are") \(known.joined(separator: ", "))"
        : "; did you mean \(known.joined(separator: " or "))?"
    throw CommandError("there is no \(what) '\(name)'" + hint)
  }

  /// The titles of all lists and calendars, by identifier.
  borrowing func listTitles() throws -> [Identifier<ItemCalendar>: String] {
    Dictionary(try calendars().map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
  }
}

extension StoreWriter {
  /// The list or calendar that a new or moved item goes into, in any case of its name; made if need be.
  borrowing func list(
    named name: String?, for entity: DefaultCalendarEntity
  ) throws -> ItemCalendar {
    guard let name else { return try defaultCalendar(for: entity) }
    let entities: ItemCalendar.Entities = entity == .events ? .events : .reminders
    let wanted = name.lowercased()
    let known = try reader.calendars(for: entities)
    let spelled =
      known.contains { $0.title == name }
      ? name : known.first { $0.title.lowercased() == wanted }?.title ?? name
    return try calendar(titled: spelled, for: entity)
  }

  /// The list or calendar called `title`, made if need be; the default one for `nil`.
  borrowing func calendar(
    titled title: String?, for entity: DefaultCalendarEntity
  ) throws -> ItemCalendar {
    guard let title else { return try defaultCalendar(for: entity) }
    let entities: ItemCalendar.Entities = entity == .events ? .events : .reminders
    if let found = try reader.calendars(titled: title).first(where: {
      !$0.entities.isDisjoint(with: entities)
    }) {
      try found.checkChangeable()
      return found
    }
    let source = try defaultCalendar(for: entity).source
    let made = ItemCalendar(source: source, title: title, entities: entities)
    try save(made)
    return made
  }

  /// Makes sure that a list or calendar may be changed here.
  borrowing func checkChangeable(_ id: Identifier<ItemCalendar>) throws {
    try reader.calendar(id)?.checkChangeable()
  }
}

extension ItemCalendar {
  fileprivate func checkChangeable() throws {
    guard allowsContentModifications else {
      throw CommandError("'\(title)' can't be changed here: it is kept from elsewhere")
    }
  }
}
