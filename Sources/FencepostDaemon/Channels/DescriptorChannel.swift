public import CalendarStore
import Glibc

/// Writes a JSON line for each firing to a descriptor: standard output.
public final class DescriptorChannel: Channel {
  private let descriptor: Int32

  /// A channel to `descriptor`, which stays open.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes the line.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let bytes = Array((line + "\n").utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw DeliveryFailure("standard output: \(String(cString: strerror(errno)))")
      }
    }
  }
}
