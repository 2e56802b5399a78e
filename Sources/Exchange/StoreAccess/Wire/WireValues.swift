import FencepostCalendarModel
import FencepostCalendarStore
package import FencepostDatabase
package import FencepostRecurrence

// The values of requests and answers. What is not read from a valid form becomes damage of the reader.

extension Binder {
  /// The number of values, and each.
  package mutating func addAll<Value>(_ values: [Value], _ add: (inout Binder, Value) -> Void) {
    self.add(values.count)
    for value in values { add(&self, value) }
  }

  /// A value, or none.
  package mutating func addOptional<Value>(_ value: Value?, _ add: (inout Binder, Value) -> Void) {
    addAll(value.map { [$0] } ?? [], add)
  }

  mutating func addNames<Subject>(_ names: [Identifier<Subject>]?) {
    addOptional(names) { $0.addAll($1) { $0.add($1) } }
  }

  /// A place.
  package mutating func add(_ place: FoundPlace) {
    add(whole: place.place)
    addOptional(place.item) { $0.add(whole: $1) }
  }

  /// Changes of items.
  package mutating func add(_ changes: ItemChanges) {
    addAll(changes.saved) { $0.add(whole: $1) }
    addAll(changes.removed) { $0.add($1) }
    addOptional(changes.subject) { $0.add(whole: $1) }
  }

  mutating func add(_ query: ReminderQuery) {
    switch query.kind {
    case .all: add(span: 0, nil, nil)
    case .incomplete(let from, let to): add(span: 1, from, to)
    case .completed(let from, let to): add(span: 2, from, to)
    }
    addNames(query.calendars)
  }

  private mutating func add(span kind: Int, _ from: Instant?, _ to: Instant?) {
    add(kind)
    add(from)
    add(to)
  }

  mutating func add(_ query: PlaceQuery) {
    switch query {
    case .named(let name):
      add(0)
      add(name)
    case .at(let latitude, let longitude):
      add(1)
      add(latitude)
      add(longitude)
    }
  }

  mutating func add(_ edit: StoreEdit) {
    switch edit {
    case .item(.save(let item, let base)):
      add(0)
      add(whole: item)
      addOptional(base) { $0.add(whole: $1) }
    case .item(.saveOccurrence(let edit, let master, let uid, let span)):
      add(1)
      add(edit.occurrence)
      add(whole: edit.base)
      add(whole: edit.edited)
      add(edit.newID)
      add(master)
      add(uid)
      add(span.rawValue)
    case .item(.remove(let item)):
      add(2)
      add(whole: item)
    case .item(.removeOccurrence(let occurrence, let item, let span)):
      add(3)
      add(occurrence)
      add(whole: item)
      add(span.rawValue)
    case .saveCalendar(let calendar, let base):
      add(4)
      add(whole: calendar)
      addOptional(base) { $0.add(whole: $1) }
    case .removeCalendar(let id, let entities):
      add(5)
      add(id)
      add(entities.rawValue)
    }
  }

  mutating func add(_ claim: AppClaim) {
    add(claim.name)
    add(claim.title)
    addAll(claim.reasons.sorted { $0.key.rawValue < $1.key.rawValue }) {
      $0.add($1.key.rawValue)
      $0.add($1.value)
    }
  }
}

extension RowReader {
  mutating func all<Value>(_ read: (inout RowReader) -> Value) -> [Value] {
    var values: [Value] = []
    var left = int()
    // A value is at least a byte, so the bytes of the message bound the memory.
    while left > 0 && damage == nil {
      values.append(read(&self))
      left -= 1
    }
    return values
  }

  mutating func optional<Value>(_ read: (inout RowReader) -> Value) -> Value? { all(read).first }

  mutating func names<Subject>() -> [Identifier<Subject>]? {
    optional { $0.all { $0.identifier() } }
  }

  mutating func foundPlace() -> FoundPlace {
    FoundPlace(place: wholePlace(), item: optional { $0.wholeItem() })
  }

  mutating func itemChanges() -> ItemChanges {
    ItemChanges(
      saved: all { $0.wholeItem() }, removed: all { $0.identifier() }, subject: optional { $0.wholeItem() })
  }

  mutating func reminderQuery() -> ReminderQuery {
    let number = int()
    let (from, to) = (optionalInstant(), optionalInstant())
    let kind: ReminderQuery.Kind
    switch number {
    case 0: kind = .all
    case 1: kind = .incomplete(from: from, to: to)
    case 2: kind = .completed(from: from, to: to)
    default:
      fail("no query of kind \(number)")
      kind = .all
    }
    return ReminderQuery(kind: kind, calendars: names())
  }

  mutating func placeQuery() -> PlaceQuery {
    let number = int()
    switch number {
    case 0: return .named(text())
    case 1: return .at(latitude: double(), longitude: double())
    default:
      fail("no query of kind \(number)")
      return .named("")
    }
  }

  mutating func edit() -> StoreEdit {
    let number = int()
    switch number {
    case 0: return .item(.save(wholeItem(), base: optional { $0.wholeItem() }))
    case 1:
      let edit = EditableSeries.Edit(
        occurrence: time(), base: wholeItem(), edited: wholeItem(), newID: identifier())
      return .item(.saveOccurrence(edit, master: identifier(), uid: text(), span: value(or: .this)))
    case 2: return .item(.remove(wholeItem()))
    case 3: return .item(.removeOccurrence(time(), item: wholeItem(), span: value(or: .this)))
    case 4: return .saveCalendar(wholeCalendar(), base: optional { $0.wholeCalendar() })
    case 5: return .removeCalendar(identifier(), entities: ItemCalendar.Entities(rawValue: int()))
    default:
      fail("no edit of kind \(number)")
      return .removeCalendar(Identifier(rawValue: ""), entities: [])
    }
  }

  mutating func claim() -> AppClaim {
    AppClaim(
      name: text(), title: text(),
      reasons: Dictionary(
        all { (AccessRequest(rawValue: $0.int()), $0.text()) }.compactMap { request, reason in
          request.map { ($0, reason) }
        }
      ) { first, _ in first })
  }
}
