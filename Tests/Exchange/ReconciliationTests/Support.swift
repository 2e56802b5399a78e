import FencepostICalendar

/// A calendar object with one component, from its lines.
func object(_ kind: String = "VTODO", _ lines: String...) -> ComponentTree {
  object([kind: lines].map { component($0.key, $0.value) })
}

func object(_ components: [ComponentTree]) -> ComponentTree {
  ComponentTree(name: "VCALENDAR", lines: ["VERSION:2.0", "PRODID:test"], components: components)
}

/// A component from lines, in which `[` begins an alarm and `]` ends it.
func component(_ name: String, _ lines: [String]) -> ComponentTree {
  var component = ComponentTree(name: name, lines: ["UID:1"])
  var alarm: ComponentTree?
  for line in lines {
    switch line {
    case "[": alarm = ComponentTree(name: "VALARM")
    case "]":
      if let alarm { component.components.append(alarm) }
      alarm = nil
    default: if alarm == nil { component.lines.append(line) } else { alarm?.lines.append(line) }
    }
  }
  return component
}

extension ComponentTree {
  /// The lines of its first component without UID, in the form that ``object(_:_:)`` takes.
  var itemLines: [String] { components.first?.plainLines ?? [] }

  var plainLines: [String] {
    lines.filter { $0 != "UID:1" }
      + components.flatMap { component in
        component.name == "VALARM" ? ["["] + component.lines + ["]"] : component.plainLines
      }
  }
}
