public import FencepostCalendarStore
import FencepostSystem
import Glibc

/// Writes a JSON line for each firing to a descriptor: standard output.
public final class DescriptorChannel: Channel {
  private let descriptor: Int32

  /// A channel to `descriptor`, which stays open.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes the line.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    do throws(SystemFailure) {
      try DescriptorIO.write((line + "\n").utf8Span.span.bytes, to: descriptor)
    } catch {
      throw DeliveryFailure("standard output: \(String(cString: strerror(error.code)))")
    }
  }
}
