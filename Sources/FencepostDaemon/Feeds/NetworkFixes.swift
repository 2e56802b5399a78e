import CalendarModel

/// Positions that came over a network, as they were read. Whose they are is known by name alone: ``DeviceRoll`` gives those
/// devices numbers, and sees to it that there are not too many.
struct NetworkFixes: Sendable {
  /// How many bytes a device's name may have.
  static let longestName = 255

  /// Those of devices with names that somebody can read. Their devices are places in ``names``.
  let fixes: [Fix]
  /// The names of their devices; `nil` at places that no fix has.
  let names: [String?]
  /// Who sent them: an address, or a broker.
  let sender: String
  /// How many are of a device whose name is too long, or holds control characters.
  let misnamed: Int

  /// - Parameters:
  ///   - received: Positions as they were read.
  ///   - names: What numbered their devices.
  ///   - sender: Who sent them.
  init(_ received: [Fix], namedBy names: DeviceRegistry, sender: String) {
    let all = names.names
    var areUsed = [Bool](repeating: false, count: all.count)
    for fix in received { areUsed[Int(fix.device.rawValue)] = true }
    let usable = zip(all, areUsed).map { name, isUsed in isUsed && NetworkFixes.isName(name) ? name : nil }
    fixes = received.filter { usable[Int($0.device.rawValue)] != nil }
    self.names = usable
    self.sender = sender
    misnamed = received.count - fixes.count
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= longestName && !name.unicodeScalars.contains(where: \.isControl)
  }
}
