/// Assembles a component from its lines, within limits.
///
/// It reads a component that is too large, too deep or badly nested to its end, and drops it.
struct ComponentAssembler {
  /// The result of a line.
  enum Outcome {
    /// The component continues.
    case open
    /// It is complete.
    case complete(RawComponent)
    /// It ended and was dropped, for this reason.
    case broken(String)
  }

  /// Components that only occur directly in VCALENDAR. If one begins inside another, that one has no end.
  static let outermost: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"]

  private let limits: ICalendarReader.Limits
  private var stack: [RawComponent] = []
  private var flaw: String?
  /// The nesting depth of a broken component.
  private var depth = 0
  /// The name of the outermost component, in upper case; empty if none is open.
  private(set) var name = ""
  /// The line where it begins.
  private(set) var number = 0

  init(limits: ICalendarReader.Limits) { self.limits = limits }

  /// True while a component is open.
  var isOpen: Bool { depth > 0 }

  /// Begins a component, or a nested one, with the last line of `text`.
  mutating func begin(_ name: String, in text: inout ComponentText) {
    if depth == 0 {
      self.name = name
      number = text.lines.last?.number ?? 0
    }
    depth += 1
    if depth > limits.depth {
      flaw = flaw ?? "it nests deeper than \(limits.depth) levels"
    }
    let index = text.lines.count - 1
    stack.append(RawComponent(name: name, lines: index..<index + 1))
    check(&text)
  }

  /// Adds the last line of `text` as a property.
  mutating func property(in text: inout ComponentText) {
    if flaw == nil { stack[stack.count - 1].properties.append(text.lines.count - 1) }
    check(&text)
  }

  /// Ends the innermost component with the last line of `text`.
  mutating func end(_ name: String, in text: inout ComponentText) -> Outcome {
    depth -= 1
    if flaw == nil, let open = stack.last, open.name != name {
      flaw = "END:\(name.prefix(40)) on line \(text.lines.last?.number ?? 0) instead of END:\(open.name)"
    }
    if flaw == nil {
      var component = stack.removeLast()
      component.lines = component.lines.lowerBound..<text.lines.count
      guard stack.isEmpty else {
        stack[stack.count - 1].children.append(component)
        check(&text)
        return .open
      }
      self.name = ""
      return .complete(component)
    }
    check(&text)
    // Names no longer have to match. For a component that never nests in itself, its END closes it at any depth.
    let closes = name == self.name && ComponentAssembler.outermost.contains(name)
    guard depth == 0 || closes else { return .open }
    return abandon(flaw ?? "")
  }

  /// Drops the open component as broken, for `reason`.
  mutating func abandon(_ reason: String) -> Outcome {
    let outcome = Outcome.broken(flaw ?? reason)
    stack = []
    flaw = nil
    depth = 0
    name = ""
    return outcome
  }

  /// Checks its size. A broken component uses no memory.
  private mutating func check(_ text: inout ComponentText) {
    if text.bytes.count > limits.componentBytes {
      flaw = flaw ?? "it is larger than \(limits.componentBytes) bytes"
    } else if text.lines.count > limits.componentLines {
      flaw = flaw ?? "it has more than \(limits.componentLines) lines"
    }
    if flaw != nil {
      stack = []
      text.clear()
    }
  }
}
