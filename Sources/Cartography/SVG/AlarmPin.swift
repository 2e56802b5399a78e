/// The alarms that went off at about the same spot of a picture, under one pin.
struct AlarmPin {
  var place: MapPoint
  var alarms: [MapContent.Alarm]

  /// The pins of `alarms`: those that would lie on each other are one.
  static func pins(_ alarms: [MapContent.Alarm], in frame: MapFrame) -> [AlarmPin] {
    var pins: [AlarmPin] = []
    for alarm in alarms {
      guard let point = alarm.place else { continue }
      let place = frame.place(point)
      let near = pins.firstIndex { pin in
        abs(pin.place.x - place.x) < 10 + pin.width / 2 && abs(pin.place.y - place.y) < AlarmPin.height + 1
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

  /// The numbers of its alarms: `3`, `1, 13`, `4–9`.
  var label: String {
    var runs: [ClosedRange<Int>] = []
    for number in alarms.map(\.number) {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    let texts = runs.map { run in
      run.count == 1
        ? "\(run.lowerBound)" : "\(run.lowerBound)\(run.count == 2 ? ", " : "–")\(run.upperBound)"
    }
    return texts.count <= 4 ? texts.joined(separator: ", ") : texts.prefix(3).joined(separator: ", ") + ", …"
  }

  var width: Double { max(AlarmPin.height, TextMeasure.width(label, size: 12) + 11) }

  /// The class of its colour: that of its alarms' kind, where they are of one.
  var style: String {
    let styles = Set(alarms.map(\.alarm.kind.style))
    return styles.count == 1 ? styles.first ?? "several" : "several"
  }
}
