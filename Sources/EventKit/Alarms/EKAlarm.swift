import CalendarModel
public import Foundation

/// Something that goes off: at a date, so long before or after an item's start, or at a place.
///
/// A place takes ``structuredLocation`` and ``proximity`` both. An alarm that has both and whose
/// ``relativeOffset`` is 0, as that of a fresh one is, goes off at the place alone; one that has a date or
/// another offset besides goes off at that time too.
open class EKAlarm: EKObject, NSCopying {
  /// What the model says, its place excepted.
  private var base: Alarm
  /// The item that it was added to, so that an alarm that is added to two items becomes two.
  weak var owner: EKCalendarItem?

  /// An alarm at the item's start.
  public override convenience init() {
    self.init(relativeOffset: 0)
  }

  /// An alarm at a date.
  public init(absoluteDate date: Date) {
    base = Alarm(trigger: .absolute(date.instant))
  }

  /// An alarm so many seconds after an event's start, or a reminder's start or else due date; negative for
  /// before.
  public init(relativeOffset offset: TimeInterval) {
    base = Alarm(trigger: .relative(CalendarDuration(seconds: Int(clampingSeconds: offset)), to: .start))
  }

  init(_ alarm: Alarm) {
    base = alarm
    super.init()
    takePlace()
  }

  /// What tells it from other alarms.
  var id: Identifier<Alarm> { base.id }

  /// Takes on what the store says.
  func load(_ alarm: Alarm) {
    guard alarm != value else { return base = alarm }
    base = alarm
    takePlace()
  }

  private func takePlace() {
    proximity =
      switch base.proximity?.event {
      case .enter, .dwell: .enter
      case .leave: .leave
      case nil: .none
      }
    guard let place = base.proximity?.location, !place.title.isEmpty || place.coordinate != nil else {
      return structuredLocation = nil
    }
    guard let known = structuredLocation else { return structuredLocation = EKStructuredLocation(place) }
    known.load(place)
  }

  /// Seconds after the item's start, negative for before it; 0 for an alarm that is not relative.
  ///
  /// Setting it clears ``absoluteDate``.
  open var relativeOffset: TimeInterval {
    get { if case .relative(let offset, _) = base.trigger { TimeInterval(offset.nominalSeconds) } else { 0 } }
    set { base.trigger = .relative(CalendarDuration(seconds: Int(clampingSeconds: newValue)), to: .start) }
  }

  /// The date at which it goes off; `nil` for an alarm that is relative or of place.
  ///
  /// Setting it clears ``relativeOffset``; `nil` makes the alarm relative again.
  open var absoluteDate: Date? {
    get { if case .absolute(let instant) = base.trigger { Date(instant) } else { nil } }
    set {
      if let newValue {
        base.trigger = .absolute(newValue.instant)
      } else if case .absolute = base.trigger {
        base.trigger = .relative(.zero, to: .start)
      }
    }
  }

  /// The place at which it goes off; a copy of what it is set to.
  @NSCopying open var structuredLocation: EKStructuredLocation?

  /// What a device must do there.
  open var proximity: EKAlarmProximity = .none

  // MARK: What it does

  /// What it does, which follows from what was set: an address, a sound, a URL, or nothing.
  open var type: EKAlarmType {
    switch base.action {
    case .display, .other: .display
    case .audio: .audio
    case .email: .email
    case .procedure: .procedure
    }
  }

  /// Where to send an e-mail. Setting it clears ``soundName`` and ``url``.
  open var emailAddress: String? {
    get { if case .email(let addresses) = base.action { addresses.first } else { nil } }
    set {
      if let newValue {
        base.action = .email(to: [newValue])
      } else if case .email = base.action {
        base.action = .display
      }
    }
  }

  /// The sound to play, by name. Setting it clears ``emailAddress`` and ``url``.
  open var soundName: String? {
    get { if case .audio(let name) = base.action { name } else { nil } }
    set {
      if let newValue {
        base.action = .audio(soundName: newValue)
      } else if case .audio = base.action {
        base.action = .display
      }
    }
  }

  /// What to open. Alarms that open something can be read; saving one that was made or changed fails with
  /// ``EKError/Code/procedureAlarmsNotMutable``.
  @available(*, deprecated, message: "Alarms that open something can no longer be made.")
  open var url: URL? {
    get { procedureURL }
    set {
      if let newValue {
        base.action = .procedure(url: newValue.absoluteString)
      } else if case .procedure = base.action {
        base.action = .display
      }
    }
  }

  private var procedureURL: URL? {
    if case .procedure(let text) = base.action { text.flatMap { URL(string: $0) } } else { nil }
  }

  // MARK: Its value

  /// The alarm as a value.
  var value: Alarm {
    var alarm = base
    guard let event = proximityEvent else {
      alarm.proximity = nil
      // An alarm of a place alone goes off at the item's time once it has no place.
      if base.proximity != nil, alarm.trigger == .none { alarm.trigger = .relative(.zero, to: .start) }
      return alarm
    }
    var trigger = alarm.proximity ?? ProximityTrigger(event, at: StructuredLocation(title: ""))
    trigger.event = event
    trigger.location = structuredLocation?.value ?? StructuredLocation(title: "")
    alarm.proximity = trigger
    // The offset of a fresh alarm, which nobody chose.
    if alarm.trigger == .relative(.zero, to: .start) { alarm.trigger = .none }
    return alarm
  }

  /// What the model is to wait for; a stay stays one while it is an arrival here.
  private var proximityEvent: ProximityTrigger.Event? {
    switch proximity {
    case .none: return nil
    case .leave: return .leave
    case .enter:
      if case .dwell(let seconds)? = base.proximity?.event { return .dwell(seconds: seconds) }
      return .enter
    }
  }

  /// A copy that is changed on its own, and is another alarm to the store.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> EKAlarm {
    var alarm = base
    alarm.id = .random()
    let copy = EKAlarm(alarm)
    copy.proximity = proximity
    copy.structuredLocation = structuredLocation
    return copy
  }

  /// True where both say the same, whichever alarm of the store they are.
  func saysTheSame(as other: EKAlarm) -> Bool {
    var (a, b) = (value, other.value)
    a.id = Identifier(rawValue: "")
    b.id = a.id
    return a == b
  }

  /// True where its owner, if any, has changes in this alarm.
  open override var hasChanges: Bool { owner?.hasUnsavedAlarm(self) ?? false }

  /// True where it is part of no item that was saved with it.
  open override var isNew: Bool { owner?.hasSavedAlarm(self) != true }
}
