import FencepostCalendarModel

/// A set of devices. Their numbers start at 0, so a look-up needs no hashing.
struct DeviceSet {
  /// In the order of insertion.
  private(set) var members: [DeviceNumber] = []
  private var isMember: [Bool] = []

  /// True if the set contains a device.
  func contains(_ device: DeviceNumber) -> Bool {
    let index = Int(device.rawValue)
    return index < isMember.count && isMember[index]
  }

  /// Adds a device unless it is there already.
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
