import CalendarModel
public import Foundation

/// What events and reminders have in common. Abstract: make an ``EKEvent`` or an ``EKReminder``.
open class EKCalendarItem: EKObject {
  let session: StoreSession
  /// What the store says of it; `nil` for a new item.
  private(set) var original: ItemState?
  /// What it says here where that is something else. Apart, for of most items in a window nothing is ever changed.
  private var edited: EditedState?
  /// The calendar that was set here, which may be of another store.
  var assignedCalendar: EKCalendar?
  private var alarmObjects: [EKAlarm]?
  private var ruleObjects: [EKRecurrenceRule]?
  /// True once it was removed.
  var isRemoved = false
  /// Which reset of the store it was made after.
  private let generation: Int

  private final class EditedState {
    var value: ItemState
    init(_ value: ItemState) { self.value = value }
  }

  /// An item of no store.
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

  /// An item out of the store.
  init(_ original: ItemState, session: StoreSession) {
    self.original = original
    self.session = session
    generation = session.generation
  }

  /// What it says here, but for the parts that are objects of their own: see ``current``.
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

  /// True once it was removed, or its store was reset: its store knows it no more.
  var isInvalid: Bool { isRemoved || generation != session.generation }

  /// What it says here, its alarms and rules included.
  var current: ItemState {
    var state = state
    if let alarmObjects {
      // What says that there is no alarm stays as long as there is none.
      let silent = alarmObjects.isEmpty ? state.item.alarms.filter(\.isSilent) : []
      state.item.alarms = alarmObjects.map(\.value) + silent
    }
    if let ruleObjects {
      var recurrence = state.item.recurrence ?? Recurrence()
      recurrence.rules = ruleObjects.map(\.value)
      let isNone = recurrence.rules.isEmpty && recurrence.dates.isEmpty
      state.item.recurrence = isNone ? nil : recurrence
    }
    return state
  }

  /// Takes on what the store says.
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

  /// The objects that stand for `alarms` from now on: those that an app may still hold, where they are the same alarms.
  private static func objects(
    for alarms: [Alarm], among objects: [EKAlarm], of owner: EKCalendarItem
  ) -> [EKAlarm] {
    let known = Dictionary(objects.map { ($0.id, $0) }) { first, _ in first }
    // The alarms of an occurrence that was detached are others to the store, in the same order.
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

  /// Takes on `state`, but for what was changed here since it was last loaded.
  func rebase(onto state: ItemState, original: ItemState?) {
    load(self.original.map { current.merging(state, since: $0) } ?? state, original: original)
  }

  // MARK: Identity

  /// The calendar, or list, that it is in; `nil` for a new item until it is set.
  open var calendar: EKCalendar! {
    get { assignedCalendar ?? (state.hasCalendar ? session.calendar(state.item.calendar) : nil) }
    set {
      assignedCalendar = newValue
      state.item.calendar = newValue?.value.id ?? Identifier(rawValue: "")
    }
  }

  /// What tells it from other items of this store. All occurrences of a series share it.
  open var calendarItemIdentifier: String { state.item.id.rawValue }

  /// What tells it from other items everywhere: the UID of RFC 5545. Copies of an item share it.
  open var calendarItemExternalIdentifier: String! { state.item.uid }

  /// What ``calendarItemIdentifier`` was called.
  @available(*, deprecated, renamed: "calendarItemIdentifier")
  open var uuid: String { calendarItemIdentifier }

  // MARK: What it says

  /// What it is about; the empty string for a new item.
  open var title: String! {
    get { state.item.title }
    set { state.item.title = newValue ?? "" }
  }

  /// Where, in words.
  open var location: String? {
    get { state.item.location }
    set { state.item.location = newValue }
  }

  /// Anything else.
  open var notes: String? {
    get { state.item.notes }
    set { state.item.notes = newValue }
  }

  /// Where to read on.
  open var url: URL? {
    get { state.item.url.flatMap { URL(string: $0) } }
    set { state.item.url = newValue?.absoluteString }
  }

  /// When it was last saved.
  open var lastModifiedDate: Date? { state.item.lastModified.map { Date($0) } }

  /// When it was first saved.
  open var creationDate: Date? { state.item.created.map { Date($0) } }

  /// The zone in which it takes place; `nil` where it floats.
  open var timeZone: TimeZone? {
    get { state.item.timeZone?.foundation }
    set { state.item.timeZone = newValue.map { TimeZoneID($0) } }
  }

  // MARK: Its parts

  /// True where it has alarms.
  open var hasAlarms: Bool { alarmObjects.map { !$0.isEmpty } ?? !state.item.audibleAlarms.isEmpty }
  /// True where it repeats.
  open var hasRecurrenceRules: Bool {
    ruleObjects.map { !$0.isEmpty } ?? (state.item.recurrence?.rules.isEmpty == false)
  }
  /// True where somebody was asked to take part.
  open var hasAttendees: Bool { !state.item.attendees.isEmpty }
  /// True where it has notes.
  open var hasNotes: Bool { state.item.notes?.isEmpty == false }

  /// Who takes part; `nil` for nobody.
  open var attendees: [EKParticipant]? {
    state.item.attendees.isEmpty ? nil : state.item.attendees.map { EKParticipant($0) }
  }

  /// Its alarms; `nil` where it has none.
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

  /// Adds an alarm; a copy of it where it is another item's already.
  open func addAlarm(_ alarm: EKAlarm) {
    var alarms = loadedAlarms
    guard !alarms.contains(where: { $0 === alarm }) else { return }
    let added = alarm.owner == nil || alarm.owner === self ? alarm : alarm.duplicate()
    added.owner = self
    alarms.append(added)
    alarmObjects = alarms
  }

  /// Takes an alarm away: that very object, or else the first that says the same.
  open func removeAlarm(_ alarm: EKAlarm) {
    var alarms = loadedAlarms
    let index =
      alarms.firstIndex { $0 === alarm } ?? alarms.firstIndex { $0.saysTheSame(as: alarm) }
    guard let index else { return }
    alarms.remove(at: index).owner = nil
    alarmObjects = alarms
  }

  /// How it repeats; empty where it does not.
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

  /// Takes a rule away: that very object, or else the first that says the same.
  open func removeRecurrenceRule(_ rule: EKRecurrenceRule) {
    var rules = recurrenceRules ?? []
    guard let index = rules.firstIndex(where: { $0 === rule }) ?? rules.firstIndex(of: rule) else { return }
    rules.remove(at: index)
    ruleObjects = rules
  }

  /// True where `alarm` says something that the store does not know.
  func hasUnsavedAlarm(_ alarm: EKAlarm) -> Bool {
    let value = alarm.value
    return original?.item.alarms.contains(value) != true
  }

  /// True where the store knows `alarm`, whatever it says here.
  func hasSavedAlarm(_ alarm: EKAlarm) -> Bool {
    let id = alarm.value.id
    return original?.item.alarms.contains { $0.id == id } == true
  }

  // MARK: Changes

  /// True where it, or one of its alarms or rules, was changed and not saved.
  open override var hasChanges: Bool { original != current }

  /// True where it was never saved.
  open override var isNew: Bool { original == nil }

  /// Takes back all changes. Nothing for a new item.
  open override func rollback() {
    guard let original else { return }
    assignedCalendar = nil
    load(original, original: original)
  }

  /// Takes back all changes and loads what the store says now. Nothing for a new item.
  open override func reset() {
    rollback()
    refresh()
  }

  /// Name and identifier, for a log.
  open override var description: String {
    "\(Swift.type(of: self)) \(state.item.title) (\(calendarItemIdentifier))"
  }

  /// By identifier.
  open override var hash: Int { state.item.uid.hashValue }
}
