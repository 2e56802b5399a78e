public import CoreLocation
import FencepostApps
import FencepostCalendarModel
import FencepostGeodesy
public import Foundation

/// An alarm: at a date, at an offset from an item's start, or at a place.
///
/// An alarm at a place needs both ``structuredLocation`` and ``proximity``. If its ``relativeOffset`` is 0,
/// the value of a new alarm, it goes off only at the place. With a date or another offset it also goes off at
/// that time.
open class EKAlarm: EKObject, NSCopying {
  /// The model's value, except for its place.
  private var base: Alarm
  /// The item that has it. An alarm that is added to two items is copied.
  weak var owner: EKCalendarItem?

  /// An alarm at the item's start.
  public override convenience init() {
    self.init(relativeOffset: 0)
  }

  /// An alarm at a date.
  public init(absoluteDate date: Date) {
    base = Alarm(trigger: .absolute(date.instant))
  }

  /// An alarm at an offset in seconds from an event's start, or from a reminder's start, or from its due date
  /// if it has no start. Negative offsets are before.
  public init(relativeOffset offset: TimeInterval) {
    base = Alarm(trigger: .relative(CalendarDuration(seconds: Int(clampingSeconds: offset)), to: .start))
  }

  init(_ alarm: Alarm) {
    base = alarm
    super.init()
    loadPlace()
  }

  /// The identifier of the alarm.
  var id: Identifier<Alarm> { base.id }

  /// Loads a value from the store.
  func load(_ alarm: Alarm) {
    guard alarm != value else { return base = alarm }
    base = alarm
    loadPlace()
  }

  private func loadPlace() {
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

  /// The offset in seconds from the item's start, negative for before; 0 for an alarm that is not relative.
  ///
  /// Setting it clears ``absoluteDate``.
  open var relativeOffset: TimeInterval {
    get { if case .relative(let offset, _) = base.trigger { TimeInterval(offset.nominalSeconds) } else { 0 } }
    set { base.trigger = .relative(CalendarDuration(seconds: Int(clampingSeconds: newValue)), to: .start) }
  }

  /// The date of the alarm; `nil` for an alarm that is relative or at a place.
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

  /// The place of the alarm. The setter copies it.
  @NSCopying open var structuredLocation: EKStructuredLocation?

  /// The event at the place that triggers the alarm.
  open var proximity: EKAlarmProximity = .none

  // MARK: Action

  /// The type of the alarm, which follows from its address, sound or URL.
  open var type: EKAlarmType {
    switch base.action {
    case .display, .other: .display
    case .audio: .audio
    case .email: .email
    case .procedure: .procedure
    }
  }

  /// The recipient of an e-mail. Setting it clears ``soundName`` and ``url``.
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

  /// The name of a sound. Setting it clears ``emailAddress`` and ``url``.
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

  /// The URL to open. Existing alarms with a URL are readable. Saving a new or changed one fails with
  /// ``EKError/Code/procedureAlarmsNotMutable``.
  @available(*, deprecated, message: "Alarms that open a URL can no longer be created.")
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

  // MARK: Value

  /// The alarm as a value.
  var value: Alarm {
    var alarm = base
    guard let event = proximityEvent else {
      alarm.proximity = nil
      // An alarm only at a place goes off at the item's time when it loses its place.
      if base.proximity != nil, alarm.trigger == .none { alarm.trigger = .relative(.zero, to: .start) }
      return alarm
    }
    var trigger = alarm.proximity ?? ProximityTrigger(event, at: StructuredLocation(title: ""))
    trigger.event = event
    trigger.location = structuredLocation?.value ?? StructuredLocation(title: "")
    alarm.proximity = trigger
    // The default offset of a new alarm is not the app's choice.
    if alarm.trigger == .relative(.zero, to: .start) { alarm.trigger = .none }
    return alarm
  }

  /// The event for the model. A dwell alarm stays one as long as the app sees it as an arrival.
  private var proximityEvent: ProximityTrigger.Event? {
    switch proximity {
    case .none: return nil
    case .leave: return .leave
    case .enter:
      if case .dwell(let seconds)? = base.proximity?.event { return .dwell(seconds: seconds) }
      return .enter
    // A number without a name is no event at a place here.
    @unknown default: return nil
    }
  }

  /// An independent copy. For the store it is another alarm.
  open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> EKAlarm {
    var alarm = base
    alarm.id = .random()
    let copy = EKAlarm(alarm)
    copy.proximity = proximity
    copy.structuredLocation = structuredLocation
    return copy
  }

  /// True if both have the same values, ignoring their identifiers.
  func isEquivalent(to other: EKAlarm) -> Bool {
    var (a, b) = (value, other.value)
    a.id = Identifier(rawValue: "")
    b.id = a.id
    return a == b
  }

  /// True if the owner has unsaved changes in this alarm.
  open override var hasChanges: Bool { owner?.hasUnsavedAlarm(self) ?? false }

  /// True if it was never saved as part of an item.
  open override var isNew: Bool { owner?.hasSavedAlarm(self) != true }
}

/// A place with a name and a position.
open class EKStructuredLocation: EKObject, NSCopying {
  /// The model's value, besides title, coordinate and radius.
  private var base: StructuredLocation
  /// Its name.
  open var title: String?
  /// The position; `nil` for a place with only a name, where no alarm can go off.
  open var geoLocation: CLLocation?
  /// The radius around ``geoLocation``, in metres; 0 for the default, ``StructuredLocation/defaultRadius``.
  open var radius: Double = 0

  /// A place with a name.
  public convenience init(title: String) {
    self.init(StructuredLocation(title: title))
  }

  /// A place without a name.
  public override convenience init() {
    self.init(StructuredLocation(title: ""))
    title = nil
  }

  init(_ place: StructuredLocation) {
    base = place
    title = place.title
    radius = place.radius
    geoLocation = place.coordinate.map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) }
  }

  /// Loads a value from the store.
  func load(_ place: StructuredLocation) {
    guard place != value else { return base = place }
    base = place
    title = place.title
    radius = place.radius
    geoLocation = place.coordinate.map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) }
  }

  /// The place as a value.
  var value: StructuredLocation {
    var place = base
    place.title = title ?? ""
    place.radius = radius.isFinite ? max(0, radius) : 0
    place.coordinate = geoLocation.map {
      Coordinate(latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude)
    }
    // An outline belongs to its position.
    if place.coordinate != base.coordinate { place.outline = [] }
    return place
  }

  /// An independent copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = EKStructuredLocation(base)
    copy.title = title
    copy.geoLocation = geoLocation
    copy.radius = radius
    return copy
  }
}
