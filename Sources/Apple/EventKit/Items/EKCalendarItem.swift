import FencepostApps
import FencepostCalendarModel
public import Foundation

/// The common part of events and reminders. Abstract: create an ``EKEvent`` or an ``EKReminder``.
open class EKCalendarItem: EKObject {
  let session: StoreSession
  /// The store's value; `nil` for a new item.
  private(set) var original: ItemState?
  /// The edited value, if it differs. Kept separate because most items of a query are never changed.
  private var edited: EditedState?
  /// The calendar that the app has set. It may belong to another store.
  var assignedCalendar: EKCalendar?
  private var alarmObjects: [EKAlarm]?
  private var ruleObjects: [EKRecurrenceRule]?
  /// True after its removal.
  var isRemoved = false
  /// The number of store resets at its creation.
  private let generation: Int

  private final class EditedState {
    var value: ItemState
    init(_ value: ItemState) { self.value = value }
  }

  /// An item without a store.
  init(_ type: EKEntityType) {
    session = .none
    edited = EditedState(ItemState(type, zone: session.defaultZone))
    generation = session.generation
  }

  /// A new item.
  init(new state: ItemState, session: StoreSession) {
    edited = EditedState(state)
    self.session = session
    generation = session.generation
  }

  /// An item from the store.
  init(_ original: ItemState, session: StoreSession) {
    self.original = original
    self.session = session
    generation = session.generation
  }

  /// The current value, without the parts that are separate objects: see ``current``.
  var state: ItemState {
    get {
      if let edited { return edited.value }
      guard let original else { preconditionFailure("an item that is neither new nor out of a store") }
      return original
    }
    set {
      if let edited { edited.value = newValue } else { edited = EditedState(newValue) }
    }
  }

  /// True after its removal, or after a reset of its store. It is then no longer valid.
  var isInvalid: Bool { isRemoved || generation != session.generation }

  /// The current value, including alarms and rules.
  var current: ItemState {
    var state = state
    if let alarmObjects {
      state.item.replaceAlarms(with: alarmObjects.map(\.value))
    }
    if let ruleObjects {
      var recurrence = state.item.recurrence ?? Recurrence()
      recurrence.rules = ruleObjects.map(\.value)
      let isNone = recurrence.rules.isEmpty && recurrence.dates.isEmpty
      state.item.recurrence = isNone ? nil : recurrence
    }
    return state
  }

  /// Loads a value from the store.
  func load(_ state: ItemState, original: ItemState?) {
    self.original = original
    edited = state == original ? nil : EditedState(state)
    if let objects = alarmObjects {
      alarmObjects = Self.objects(for: state.item.audibleAlarms, among: objects, of: self)
    }
    if let objects = ruleObjects {
      let rules = state.item.recurrence?.rules ?? []
      ruleObjects = rules.enumerated().map { index, rule in
        if index < objects.count, objects[index].load(rule, resolver: session.resolver) {
          return objects[index]
        }
        return EKRecurrenceRule(rule, resolver: session.resolver)
      }
    }
    if state.item.calendar != assignedCalendar?.value.id { assignedCalendar = nil }
  }

  /// The objects for `alarms`. It reuses the existing objects for the same alarms, because the app may hold
  /// them.
  private static func objects(
    for alarms: [Alarm], among objects: [EKAlarm], of owner: EKCalendarItem
  ) -> [EKAlarm] {
    let known = Dictionary(objects.map { ($0.id, $0) }) { first, _ in first }
    // The alarms of a detached occurrence have new identifiers, but the same order.
    let areRenamed = objects.count == alarms.count && alarms.allSatisfy { known[$0.id] == nil }
    let kept = alarms.enumerated().map { index, alarm in
      let object = known[alarm.id] ?? (areRenamed ? objects[index] : EKAlarm(alarm))
      object.load(alarm)
      return object
    }
    for object in objects { object.owner = nil }
    for object in kept { object.owner = owner }
    return kept
  }

  /// Loads `state`, but keeps the changes since the last load.
  func rebase(onto state: ItemState, original: ItemState?) {
    load(self.original.map { current.merging(state, since: $0) } ?? state, original: original)
  }

  // MARK: Identity

  /// The calendar or list of the item; `nil` for a new item until the app sets it.
  open var calendar: EKCalendar! {
    get { assignedCalendar ?? (state.hasCalendar ? session.calendar(state.item.calendar) : nil) }
    set {
      assignedCalendar = newValue
      state.item.calendar = newValue?.value.id ?? Identifier(rawValue: "")
    }
  }

  /// The identifier of the item in this store. All occurrences of a series share it.
  open var calendarItemIdentifier: String { state.item.id.rawValue }

  /// The global identifier of the item: the UID of RFC 5545. Copies of an item share it.
  open var calendarItemExternalIdentifier: String! { state.item.uid }

  /// The older name of ``calendarItemIdentifier``.
  @available(*, deprecated, renamed: "calendarItemIdentifier")
  open var uuid: String { calendarItemIdentifier }

  // MARK: Content

  /// The title; empty for a new item.
  open var title: String! {
    get { state.item.title }
    set { state.item.title = newValue ?? "" }
  }

  /// The location as text.
  open var location: String? {
    get { state.item.location }
    set { state.item.location = newValue }
  }

  /// The notes.
  open var notes: String? {
    get { state.item.notes }
    set { state.item.notes = newValue }
  }

  /// The URL.
  open var url: URL? {
    get { state.item.url.flatMap { URL(string: $0) } }
    set { state.item.url = newValue?.absoluteString }
  }

  /// The date of the last save.
  open var lastModifiedDate: Date? { state.item.lastModified.map { Date($0) } }

  /// The date of the first save.
  open var creationDate: Date? { state.item.created.map { Date($0) } }

  /// The time zone; `nil` if the item floats.
  open var timeZone: TimeZone? {
    get { state.item.timeZone?.foundation }
    set { state.item.timeZone = newValue.map { TimeZoneID($0) } }
  }

  // MARK: Parts

  /// True if it has alarms.
  open var hasAlarms: Bool { alarmObjects.map { !$0.isEmpty } ?? !state.item.audibleAlarms.isEmpty }
  /// True if it recurs.
  open var hasRecurrenceRules: Bool {
    ruleObjects.map { !$0.isEmpty } ?? (state.item.recurrence?.rules.isEmpty == false)
  }
  /// True if it has attendees.
  open var hasAttendees: Bool { !state.item.attendees.isEmpty }
  /// True if it has notes.
  open var hasNotes: Bool { state.item.notes?.isEmpty == false }

  /// The attendees, or `nil`.
  open var attendees: [EKParticipant]? {
    state.item.attendees.isEmpty ? nil : state.item.attendees.map { EKParticipant($0) }
  }

  /// The alarms, or `nil`.
  open var alarms: [EKAlarm]? {
    get {
      let alarms = loadedAlarms
      return alarms.isEmpty ? nil : alarms
    }
    set {
      alarmObjects = []
      for alarm in newValue ?? [] { addAlarm(alarm) }
    }
  }

  private var loadedAlarms: [EKAlarm] {
    if let alarmObjects { return alarmObjects }
    let alarms = state.item.audibleAlarms.map { EKAlarm($0) }
    for alarm in alarms { alarm.owner = self }
    alarmObjects = alarms
    return alarms
  }

  /// Adds an alarm. If it belongs to another item, adds a copy.
  open func addAlarm(_ alarm: EKAlarm) {
    var alarms = loadedAlarms
    guard !alarms.contains(where: { $0 === alarm }) else { return }
    let added = alarm.owner == nil || alarm.owner === self ? alarm : alarm.duplicate()
    added.owner = self
    alarms.append(added)
    alarmObjects = alarms
  }

  /// Removes an alarm: this object, otherwise the first equal one.
  open func removeAlarm(_ alarm: EKAlarm) {
    var alarms = loadedAlarms
    let index =
      alarms.firstIndex { $0 === alarm } ?? alarms.firstIndex { $0.isEquivalent(to: alarm) }
    guard let index else { return }
    alarms.remove(at: index).owner = nil
    alarmObjects = alarms
  }

  /// The recurrence rules; empty if it does not recur.
  open var recurrenceRules: [EKRecurrenceRule]? {
    get {
      if let ruleObjects { return ruleObjects }
      let rules = (state.item.recurrence?.rules ?? []).map {
        EKRecurrenceRule($0, resolver: session.resolver)
      }
      ruleObjects = rules
      return rules
    }
    set { ruleObjects = newValue ?? [] }
  }

  /// Adds a rule.
  open func addRecurrenceRule(_ rule: EKRecurrenceRule) {
    ruleObjects = (recurrenceRules ?? []) + [rule]
  }

  /// Removes a rule: this object, otherwise the first equal one.
  open func removeRecurrenceRule(_ rule: EKRecurrenceRule) {
    var rules = recurrenceRules ?? []
    guard let index = rules.firstIndex(where: { $0 === rule }) ?? rules.firstIndex(of: rule) else { return }
    rules.remove(at: index)
    ruleObjects = rules
  }

  /// True if `alarm` has unsaved changes.
  func hasUnsavedAlarm(_ alarm: EKAlarm) -> Bool {
    let value = alarm.value
    return original?.item.alarms.contains(value) != true
  }

  /// True if the store has `alarm`, possibly with other values.
  func hasSavedAlarm(_ alarm: EKAlarm) -> Bool {
    let id = alarm.value.id
    return original?.item.alarms.contains { $0.id == id } == true
  }

  // MARK: Changes

  /// True if the item, or one of its alarms or rules, has unsaved changes.
  open override var hasChanges: Bool { original != current }

  /// True if it was never saved.
  open override var isNew: Bool { original == nil }

  /// Reverts all changes. Does nothing for a new item.
  open override func rollback() {
    guard let original else { return }
    assignedCalendar = nil
    load(original, original: original)
  }

  /// Reverts all changes and loads the store's value. Does nothing for a new item.
  open override func reset() {
    rollback()
    refresh()
  }

  /// Name and identifier, for logs.
  open override var description: String {
    "\(Swift.type(of: self)) \(state.item.title) (\(calendarItemIdentifier))"
  }

  /// Hashes the identifier.
  open override var hash: Int { state.item.uid.hashValue }
}
