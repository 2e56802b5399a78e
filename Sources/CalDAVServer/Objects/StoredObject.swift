import CalendarModel
import CalendarStore
import Cryptography
import ICalendar

/// A calendar object in the form for clients: the items of one UID in a list.
struct StoredObject {
  var uid: String
  /// The last part of its address, decoded.
  var name: String
  /// The items; the master first.
  var items: [CalendarItem]
  /// The client's bytes if the items still match them, otherwise an export.
  var text: [UInt8]
  /// Quoted. A hash of the bytes, so that it changes with them.
  var etag: String
  /// What the client stored.
  var row: CalendarObject?

  var isEvent: Bool { items.first?.isEvent ?? false }

  /// The default name of an object.
  static func usualName(ofUID uid: String) -> String { uid + ".ics" }

  /// Identifies the state of items. Only the content of their file counts, not their list.
  static func fingerprint(of items: [CalendarItem]) -> [UInt8] {
    MessageDigest.sha256(ICalendarWriter().componentText(of: items))
  }

  static func etag(of text: [UInt8]) -> String {
    "\"\(MessageDigest.hexadecimal(MessageDigest.sha256(text).prefix(16)))\""
  }

  init(_ items: [CalendarItem], row: CalendarObject?, in reader: borrowing StoreReader) throws {
    let ordered = Self.ordered(items)
    self.items = ordered
    self.row = row
    uid = ordered.first?.uid ?? ""
    name = row?.name ?? Self.usualName(ofUID: uid)
    if let row, let kept = row.text, row.fingerprint == Self.fingerprint(of: ordered) {
      text = kept
    } else {
      text = try Self.export(ordered, in: reader)
    }
    etag = Self.etag(of: text)
  }

  /// The items as a file, with the zones that they need.
  static func export(_ items: [CalendarItem], in reader: borrowing StoreReader) throws -> [UInt8] {
    var document = ICalendarDocument(items: items)
    for zone in Set(items.flatMap(\.zonesOfTimes)).sorted(by: { $0.rawValue < $1.rawValue }) {
      if let definition = try reader.timeZoneDefinition(zone) { document.timeZones.append(definition) }
    }
    return Array(ICalendarWriter().text(of: document).utf8)
  }

  static func ordered(_ items: [CalendarItem]) -> [CalendarItem] {
    items.sorted {
      ($0.detachment == nil ? 0 : 1, $0.id.rawValue) < ($1.detachment == nil ? 0 : 1, $1.id.rawValue)
    }
  }
}

extension StoreReader {
  /// The object of a UID in a list; `nil` if it has no items.
  func storedObject(uid: String, in list: Identifier<ItemCalendar>) throws -> StoredObject? {
    let items = try items(uid: uid, in: list)
    guard !items.isEmpty else { return nil }
    return try StoredObject(items, row: try calendarObject(uid: uid, in: list), in: self)
  }

  /// The object at an address in a list; `nil` if there is none.
  func storedObject(named name: String, in list: Identifier<ItemCalendar>) throws -> StoredObject? {
    if let row = try calendarObject(named: name, in: list) {
      let items = try items(uid: row.uid, in: list)
      if !items.isEmpty { return try StoredObject(items, row: row, in: self) }
    }
    guard name.hasSuffix(".ics") else { return nil }
    let object = try storedObject(uid: String(name.dropLast(4)), in: list)
    return object?.name == name ? object : nil
  }
}
