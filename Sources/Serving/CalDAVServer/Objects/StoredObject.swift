import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography
import FencepostICalendar
import FencepostReconciliation

/// A calendar object in the form for clients: the items of one UID in a list.
struct StoredObject {
  var uid: String
  /// The last part of its address, decoded.
  var name: String
  /// The items; the master first.
  var items: [CalendarItem]
  /// The bytes of its client, changed as the items were since; an export if no client has stored it.
  var text: [UInt8]
  /// Quoted. A hash of the bytes, so that it changes with them.
  var etag: String
  /// What the client stored.
  var row: CalendarObject?

  var isEvent: Bool { items.first?.isEvent ?? false }

  /// The default name of an object.
  static func usualName(ofUID uid: String) -> String { uid + ".ics" }

  /// The name that it has if another object has that name: nothing else would look like it.
  static func otherName(ofUID uid: String) -> String {
    "\(uid)~\(MessageDigest.digits(of: uid, count: 16)).ics"
  }

  /// The UIDs whose objects could have a name without a client that gave it.
  static func uids(ofName name: String) -> [String] {
    guard name.hasSuffix(".ics") else { return [] }
    let uid = name.dropLast(4)
    let parts = uid.split(separator: "~", omittingEmptySubsequences: false).dropLast()
    return [String(uid)] + (parts.isEmpty ? [] : [parts.joined(separator: "~")])
  }

  /// Identifies the state of items. Only what a file says counts, so the lists that they are in do not.
  static func fingerprint(of items: [CalendarItem]) -> [UInt8] {
    MessageDigest.sha256(ICalendarWriter().componentText(of: items))
  }

  static func etag(of text: [UInt8]) -> String {
    "\"\(MessageDigest.digits(of: text, count: 32))\""
  }

  init(_ items: [CalendarItem], row: CalendarObject?, in reader: borrowing StoreReader) throws {
    let ordered = Self.ordered(Self.ofOneKind(items))
    self.items = ordered
    self.row = row
    uid = ordered.first?.uid ?? ""
    name = try row?.name ?? reader.objectName(ofUID: uid, in: ordered.first?.calendar)
    if let row, let kept = row.text, row.fingerprint == Self.fingerprint(of: ordered) {
      text = kept
    } else {
      let written = ordered.map(Self.withStart)
      let export = try Self.export(written, in: reader)
      text = row?.text.flatMap { Self.patched($0, to: export, of: written) } ?? export
    }
    etag = Self.etag(of: text)
  }

  /// A reminder that repeats needs a start (RFC 5545, section 3.8.5.3); programs drop its rule without one.
  /// Here it begins when it is due.
  private static func withStart(_ item: CalendarItem) -> CalendarItem {
    guard item.recurrence != nil, let reminder = item.reminder, reminder.start == nil else { return item }
    var item = item
    item.reminder?.start = reminder.due
    return item
  }

  /// The items as a file, with the zones that they need.
  static func export(_ items: [CalendarItem], in reader: borrowing StoreReader) throws -> [UInt8] {
    var document = ICalendarDocument(items: items)
    for zone in Set(items.flatMap(\.zonesOfTimes)).sorted(by: { $0.rawValue < $1.rawValue }) {
      if let definition = try reader.timeZoneDefinition(zone) { document.timeZones.append(definition) }
    }
    return Array(ICalendarWriter().text(of: document).utf8)
  }

  /// A client's text, changed where its items were; `nil` if it would not say the same as these items.
  private static func patched(_ text: [UInt8], to export: [UInt8], of items: [CalendarItem]) -> [UInt8]? {
    guard let calendar = items.first?.calendar, let old = ComponentTree(text),
      let after = ComponentTree(export),
      let document = try? ICalendarReader(calendar: calendar).read(text),
      let before = ComponentTree(ICalendarWriter().text(of: document))
    else { return nil }
    // Only the program that reads or writes has changed.
    if before == after { return text }
    let patched = Array(ObjectMerge.patch(old, from: before, to: after).text.utf8)
    guard let read = try? ICalendarReader(calendar: calendar).read(patched).items,
      fingerprint(of: ordered(read)) == fingerprint(of: items)
    else { return nil }
    return patched
  }

  /// The events, or the reminders of an object without events. An object has one kind (RFC 4791, section
  /// 4.1), but other programs may give an event and a reminder the same UID. Clients don't see that reminder,
  /// and can't remove it.
  private static func ofOneKind(_ items: [CalendarItem]) -> [CalendarItem] {
    let hasEvent = items.contains(where: \.isEvent)
    return items.filter { $0.isEvent == hasEvent }
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

  /// The object at an address in a list, or `nil`.
  func storedObject(named name: String, in list: Identifier<ItemCalendar>) throws -> StoredObject? {
    if let row = try calendarObject(named: name, in: list) {
      let items = try items(uid: row.uid, in: list)
      if !items.isEmpty { return try StoredObject(items, row: row, in: self) }
    }
    for uid in StoredObject.uids(ofName: name) {
      let object = try storedObject(uid: uid, in: list)
      if object.map({ ExactText($0.name) }) == ExactText(name) { return object }
    }
    return nil
  }

  /// The name of an object that no client has named. It stays the same as long as the log of changes reaches
  /// back.
  func objectName(ofUID uid: String, in list: Identifier<ItemCalendar>?) throws -> String {
    let usual = StoredObject.usualName(ofUID: uid)
    guard let list, let row = try calendarObject(named: usual, in: list), ExactText(row.uid) != ExactText(uid)
    else {
      return usual
    }
    return StoredObject.otherName(ofUID: uid)
  }
}
