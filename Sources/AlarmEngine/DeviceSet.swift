import CalendarModel

/// Some devices, each once: they are numbered from 0 on, so a look takes no hashing.
struct DeviceSet {
  /// In the order in which they came.
  private(set) var members: [DeviceNumber] = []
  private var isMember: [Bool] = []

  /// True where a device is among them.
  func contains(_ device: DeviceNumber) -> Bool {
    let index = Int(device.rawValue)
    return index < isMember.count && isMember[index]
  }

  /// Adds a device, where it is not there already.
  mutating func insert(_ device: DeviceNumber) {
    let index = Int(device.rawValue)
    if index >= isMember.count {
      isMember.append(contentsOf: repeatElement(false, count: index + 1 - isMember.count))
    }
    if isMember[index] { return }
    isMember[index] = true
    members.append(device)
  }

  mutating func removeAll() {
    for device in members { isMember[Int(device.rawValue)] = false }
    members.removeAll(keepingCapacity: true)
  }
}
