internal import FencepostSpatiotemporal

/// Finds the devices that the records of one trace name.
struct TraceDevices {
  /// The maximum number per trace, so that memory stays bounded.
  static let maximum = 1_000_000
  /// The number of significant bytes of a name.
  static let maximumNameLength = 256

  private var numbers: [String: DeviceNumber] = [:]
  /// The name in the record before, as written: the next record mostly has the same.
  private var lastName: [UInt8] = []
  private var last = DeviceNumber.first
  private var defaultHasStarted = false

  /// A device, and whether the trace names it for the first time.
  typealias Found = (number: DeviceNumber, isNew: Bool)

  /// The device called `name`; `text` decodes the bytes of the record. Returns the trace's own device for no name or
  /// an empty one, and if the sink requires it. `nil` if there are too many devices.
  mutating func find(
    _ name: UnsafeBufferPointer<UInt8>?, _ sink: FixSink, text: (UnsafeBufferPointer<UInt8>) -> String
  ) -> Found? {
    guard let name, !name.isEmpty, !sink.isDeviceGiven else {
      defer { defaultHasStarted = true }
      return (sink.defaultDevice, !defaultHasStarted)
    }
    if lastName.elementsEqual(name) { return (last, false) }
    let device = text(UnsafeBufferPointer(rebasing: name.prefix(TraceDevices.maximumNameLength)))
    let found: Found
    if let known = numbers[device] {
      found = (known, false)
    } else {
      guard numbers.count < TraceDevices.maximum else { return nil }
      found = (sink.devices.number(of: device), true)
      numbers[device] = found.number
    }
    last = found.number
    lastName.removeAll(keepingCapacity: true)
    lastName.append(contentsOf: name)
    return found
  }
}
