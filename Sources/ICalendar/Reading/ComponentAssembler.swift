/// Puts a component together from its lines, and bounds what it may grow to.
///
/// A component that is too large, too deep or ends out of turn is read to its end and forgotten.
struct ComponentAssembler {
  /// What a line did.
  enum Outcome {
    /// The component goes on.
    case open
    /// It is complete.
    case complete(RawComponent)
    /// It ended and was left out, for this reason.
    case broken(String)
  }

  /// The components that stand in VCALENDAR only: one that begins within another was not ended.
  static let outermost: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"]

  private let limits: ICalendarReader.Limits
  private var stack: [RawComponent] = []
  private var flaw: String?
  /// How deep it is, once it is known to be broken.
  private var depth = 0
  /// The name of the outermost component, in upper case; empty where none is open.
  private(set) var name = ""
  /// The line on which that began.
  private(set) var number = 0

  init(limits: ICalendarReader.Limits) { self.limits = limits }

  /// True while a component is open.
  var isOpen: Bool { depth > 0 }

  /// Begins a component with the last line of `text`, or one within the open one.
  mutating func begin(_ name: String, in text: inout ComponentText) {
    if depth == 0 {
      self.name = name
      number = text.lines.last?.number ?? 0
    }
    depth += 1
    if depth > limits.depth {
      flaw = flaw ?? "it nests more than \(limits.depth) deep"
    }
    let index = text.lines.count - 1
    stack.append(RawComponent(name: name, lines: index..<index + 1))
    check(&text)
  }

  /// Takes the last line of `text` as a property.
  mutating func property(in text: inout ComponentText) {
    if flaw == nil { stack[stack.count - 1].properties.append(text.lines.count - 1) }
    check(&text)
  }

  /// Ends the innermost component with the last line of `text`.
  mutating func end(_ name: String, in text: inout ComponentText) -> Outcome {
    depth -= 1
    if flaw == nil, let open = stack.last, open.name != name {
      flaw = "END:\(name.prefix(40)) on line \(text.lines.last?.number ?? 0) where END:\(open.name) is due"
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
    // Names are matched no more. The END of what never nests in itself closes it at any depth.
    let closes = name == self.name && ComponentAssembler.outermost.contains(name)
    guard depth == 0 || closes else { return .open }
    return abandon(flaw ?? "")
  }

  /// Gives up the open component, which `reason` says is broken.
  mutating func abandon(_ reason: String) -> Outcome {
    let outcome = Outcome.broken(flaw ?? reason)
    stack = []
    flaw = nil
    depth = 0
    name = ""
    return outcome
  }

  /// Looks whether it grew too large; what is broken takes no memory.
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
