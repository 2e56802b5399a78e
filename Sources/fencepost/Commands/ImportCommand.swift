import AlarmEngine
import CalendarModel
import CommandLineTable
import Foundation
import CalendarStore
import ICalendar
import PositionFeeds
import Recurrence

extension CommandContext {
  /// `import FILE.ics… [--list NAME]`.
  func importFiles() throws {
    let files = parsed.positionals("file")
    let list = parsed.value("list")
    let store = try openStore()
    for file in files {
      let count = try importFile(file, into: store, list: list)
      if json {
        var line = JSONLine(type: "import")
        line.add("file", file)
        line.add("added", count.added)
        line.add("updated", count.updated)
        line.add("warnings", count.warnings)
        try console.print(line.line)
      } else {
        try console.print("\(file): \(count.added) added, \(count.updated) updated")
      }
    }
  }

  /// What a file brought.
  struct ImportCount {
    var added = 0
    var updated = 0
    var warnings = 0
  }

  /// Reads a file into a store, whole or not at all, and says what is wrong with it.
  ///
  /// An item whose UID the store has already takes the place of that one, and stays in its list unless another
  /// is asked for.
  @discardableResult
  func importFile(_ path: String, into store: CalendarStore, list: String?) throws -> ImportCount {
    if path.lowercased().hasSuffix(".otrw") {
      return try importWaypoints(path, into: store, list: list)
    }
    let reader = ICalendarReader(calendar: Identifier(rawValue: ""))
    var count = ImportCount()
    let document = try store.write { writer in
      var destinations: [Bool: ItemCalendar] = [:]
      let document = try reader.forEachItem(path: path == "-" ? "/dev/stdin" : path) { read in
        var item = read
        let before = try writer.reader.item(item.id)
        if let before, list == nil {
          item.calendar = before.calendar
        } else {
          let destination =
            try destinations[item.isEvent]
            ?? writer.calendar(titled: list, for: item.isEvent ? .events : .reminders)
          destinations[item.isEvent] = destination
          item.calendar = destination.id
        }
        try writer.save(item)
        if before == nil { count.added += 1 } else { count.updated += 1 }
      }
      for zone in document.timeZones { try writer.save(zone) }
      return document
    }
    for zone in document.timeZones { _ = resolver.zones.register(zone) }
    count.warnings = document.warnings.count + document.omittedWarnings
    for warning in document.warnings { console.say("fencepost: \(warning)") }
    if document.omittedWarnings > 0 {
      console.say("fencepost: \(path): \(document.omittedWarnings) more warnings")
    }
    return count
  }
}

extension CommandContext {
  /// Reads OwnTracks' waypoints as reminders at their places, into the list "Places" unless another is asked for.
  private func importWaypoints(_ path: String, into store: CalendarStore, list: String?) throws -> ImportCount
  {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("\(path): cannot be read")
    }
    guard let export = OwnTracksWaypoints(data) else {
      throw CommandError("\(path): holds no waypoints as OwnTracks exports them")
    }
    var count = ImportCount()
    try store.write { writer in
      let places = try writer.calendar(titled: list ?? "Places", for: .reminders)
      for waypoint in export.items {
        var item = waypoint
        let before = try writer.reader.item(item.id)
        item.calendar = list == nil ? before?.calendar ?? places.id : places.id
        item.created = before?.created ?? now
        item.lastModified = now
        try writer.save(item)
        if before == nil { count.added += 1 } else { count.updated += 1 }
      }
    }
    if export.skipped > 0 {
      console.say(
        "fencepost: \(path): \(export.skipped) waypoints without a place and a radius were passed over")
      count.warnings = export.skipped
    }
    return count
  }
}

extension StoreWriter {
  /// The list or calendar called `title`, made if need be; the default one for `nil`.
  borrowing func calendar(
    titled title: String?, for entity: DefaultCalendarEntity
  ) throws -> ItemCalendar {
    guard let title else { return try defaultCalendar(for: entity) }
    let entities: ItemCalendar.Entities = entity == .events ? .events : .reminders
    if let found = try reader.calendars(titled: title).first(where: {
      !$0.entities.isDisjoint(with: entities)
    }) {
      guard found.allowsContentModifications else {
        throw CommandError("'\(title)' can't be changed here: it is kept from elsewhere")
      }
      return found
    }
    let source = try defaultCalendar(for: entity).source
    let made = ItemCalendar(source: source, title: title, entities: entities)
    try save(made)
    return made
  }
}
