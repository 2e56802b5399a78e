internal import Spatiotemporal

/// The devices that the records of one trace name.
struct TraceDevices {
  /// How many one trace may name, so that no trace eats memory.
  static let maximum = 1_000_000
  /// How many bytes of a name count.
  static let maximumNameLength = 256

  private var numbers: [String: DeviceNumber] = [:]
  /// The name in the record before, as it stood there: most often that of the next.
  private var lastName: [UInt8] = []
  private var last = DeviceNumber.first
  private var defaultHasStarted = false

  /// A device, and whether this is the first time that the trace names it.
  typealias Found = (number: DeviceNumber, isNew: Bool)

  /// The device that `name` names, where `text` turns what stands in the record into a name; the trace's own for
  /// none and an empty one, and where the sink says that all are that. `nil` where there are too many.
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
