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
    let usable = Self.used(names.names, by: received).map { $0.flatMap { Self.isName($0) ? $0 : nil } }
    fixes = received.filter { usable[Int($0.device.rawValue)] != nil }
    self.names = usable
    self.sender = sender
    misnamed = received.count - fixes.count
  }

  /// Those of `all` that are dated `limit` or before.
  init(_ all: NetworkFixes, datedUntil limit: Instant) {
    fixes = all.fixes.filter { $0.time <= limit }
    names = Self.used(all.names, by: fixes)
    sender = all.sender
    misnamed = all.misnamed
  }

  /// The names of devices that fixes have; `nil` at the places of others.
  private static func used(_ names: [String?], by fixes: [Fix]) -> [String?] {
    var used = [String?](repeating: nil, count: names.count)
    for fix in fixes { used[Int(fix.device.rawValue)] = names[Int(fix.device.rawValue)] }
    return used
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= longestName && !name.unicodeScalars.contains(where: \.isControl)
  }
}
