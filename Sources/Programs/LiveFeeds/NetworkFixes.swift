package import FencepostCalendarModel

/// Positions that came over a network. Their devices are known only by name. ``NetworkDevices`` assigns
/// numbers to the devices, and limits how many there are.
package struct NetworkFixes: Sendable {
  /// The maximum bytes of a device name.
  package static let maximumName = 255

  /// The positions with valid device names. Their device numbers are indices of ``names``.
  package let fixes: [Fix]
  /// The names of their devices; `nil` at indices without a fix.
  package let names: [String?]
  /// The sender: an address, or a broker.
  package let sender: String
  /// The number of positions with a device name that is too long or contains control characters.
  package let misnamed: Int

  /// Positions as they were read.
  ///
  /// - Parameters:
  ///   - received: The positions.
  ///   - names: The registry of their device numbers.
  ///   - sender: The sender.
  package init(_ received: [Fix], namedBy names: DeviceRegistry, sender: String) {
    let usable = Self.used(names.names, by: received).map { $0.flatMap { Self.isName($0) ? $0 : nil } }
    fixes = received.filter { usable[Int($0.device.rawValue)] != nil }
    self.names = usable
    self.sender = sender
    misnamed = received.count - fixes.count
  }

  /// Positions of one device, whatever devices they name: no client can move the device of another.
  ///
  /// - Parameters:
  ///   - received: The positions.
  ///   - device: The name of the device.
  ///   - sender: The sender.
  package init(_ received: [Fix], of device: String, sender: String) {
    fixes = Self.isName(device) ? received.map { $0.moved(to: DeviceNumber(rawValue: 0)) } : []
    names = fixes.isEmpty ? [] : [device]
    self.sender = sender
    misnamed = received.count - fixes.count
  }

  /// The positions of `all` that are dated `limit` or earlier.
  package init(_ all: NetworkFixes, datedUntil limit: Instant) {
    fixes = all.fixes.filter { $0.time <= limit }
    names = Self.used(all.names, by: fixes)
    sender = all.sender
    misnamed = all.misnamed
  }

  /// The name of a position's device.
  package func name(of fix: Fix) -> String? { names[Int(fix.device.rawValue)] }

  /// The names of the devices of fixes; `nil` at the indices of other devices.
  private static func used(_ names: [String?], by fixes: [Fix]) -> [String?] {
    var used = [String?](repeating: nil, count: names.count)
    for fix in fixes { used[Int(fix.device.rawValue)] = names[Int(fix.device.rawValue)] }
    return used
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= maximumName && !name.unicodeScalars.contains(where: \.isControl)
  }
}

extension Fix {
  /// The same position, of another device.
  fileprivate func moved(to device: DeviceNumber) -> Fix {
    var fix = self
    fix.device = device
    return fix
  }
}
