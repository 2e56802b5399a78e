public import FencepostCalendarModel

/// A property of JSCalendar (RFC 8984) that an item keeps: one that this model has no field for, or the words of a client.
public struct JSProperty: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its value, as JSON.
  public var json: String

  /// A property.
  public init(name: String, json: String) {
    self.name = name
    self.json = json
  }
}

extension CalendarItem {
  /// The kept properties of JSCalendar. Each is a line JSPROP with its name as JSPTR, so that it survives files.
  public var jsProperties: [JSProperty] {
    get {
      preserved.properties.compactMap { line in
        guard let property = PreservedProperty(line, named: ["JSPROP"]),
          let name = property.parameter("JSPTR")
        else {
          return nil
        }
        return JSProperty(name: name, json: TextValue.decode(Array(property.value.utf8)[...]))
      }
    }
    set {
      preserved.properties.removeAll { PreservedProperty($0, named: ["JSPROP"]) != nil }
      for property in newValue {
        preserved.properties.append(
          "JSPROP;JSPTR=\(ParameterText.encode(property.name)):\(TextValue.encode(property.json))")
      }
    }
  }
}
