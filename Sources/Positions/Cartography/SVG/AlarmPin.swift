/// One pin for all alarms that went off at about the same spot of a picture.
struct AlarmPin {
  var place: MapPoint
  var alarms: [MapContent.Alarm]

  /// The pins of `alarms`. Pins that would overlap become one.
  static func pins(_ alarms: [MapContent.Alarm], in frame: MapFrame) -> [AlarmPin] {
    var pins: [AlarmPin] = []
    for alarm in alarms {
      guard let point = alarm.place else { continue }
      let place = frame.place(point)
      let near = pins.firstIndex { pin in
        abs(pin.place.x - place.x) < 12 + pin.width / 2 && abs(pin.place.y - place.y) < AlarmPin.height + 1
      }
      if let near {
        pins[near].alarms.append(alarm)
      } else {
        pins.append(AlarmPin(place: place, alarms: [alarm]))
      }
    }
    return pins
  }

  static let height = 20.0

  /// The numbers of its alarms: `3` or `1, 13`. With more than two alarms: the first number and how many
  /// follow, `4 +5`.
  var label: String {
    alarms.count > 2
      ? "\(alarms[0].number) +\(alarms.count - 1)" : alarms.map { "\($0.number)" }.joined(separator: ", ")
  }

  var width: Double { max(AlarmPin.height, TextMeasure.width(label, size: 12) + 11) }

  /// The CSS class that colours it: that of the alarms' kind, if all have the same kind.
  var style: String {
    let styles = Set(alarms.map(\.alarm.kind.style))
    return styles.count == 1 ? styles.first ?? "several" : "several"
  }
}
