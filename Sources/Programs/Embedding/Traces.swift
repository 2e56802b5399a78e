public import CFencepostEmbedding
import FencepostGeodesy
import FencepostPositionFeeds
import FencepostSpatiotemporal

/// A trace that was read: what a `fp_trace` refers to.
final class Trace {
  let fixes: UnsafePointer<fp_fixes>
  let altitude: UnsafePointer<Double>
  let course: UnsafePointer<Double>
  let deviceNames: [UnsafePointer<CChar>]
  let format: UnsafePointer<CChar>
  let rejected: Int
  let problem: UnsafePointer<CChar>?
  private let memory = ColumnMemory()

  init(_ bytes: [UInt8], name: String) throws(Failure) {
    let devices = DeviceRegistry()
    var fixes: [Fix] = []
    let report: TraceReport
    do throws(FeedError) {
      let reader = try TraceReader(bytes: bytes, name: name, devices: devices)
      var batch: [Fix] = []
      while try reader.read(into: &batch) { fixes += batch }
      report = reader.report
    } catch {
      throw Failure(code: FP_ERROR_FORMAT, message: error.description)
    }
    fixes.sortByTime()
    let names = Trace.numberDevices(of: &fixes, devices.names)
    let memory = memory
    func column<Value: BitwiseCopyable>(_ value: (Fix) -> Value) -> UnsafePointer<Value> {
      memory.column(fixes.map(value))
    }
    var columns = fp_fixes()
    columns.count = fixes.count
    columns.device = column(\.device.rawValue)
    columns.time = column(\.time.microseconds)
    columns.latitude = column(\.coordinate.latitude)
    columns.longitude = column(\.coordinate.longitude)
    columns.accuracy = column { $0.horizontalAccuracy ?? .nan }
    columns.speed = column { $0.speed ?? .nan }
    columns.flags = column {
      UInt8(($0.startsSegment ? FP_STARTS_SEGMENT : 0) | ($0.isStill ? FP_IS_STILL : 0))
    }
    columns.verdict = column { $0.verdict.map { $0.kind.rawValue + 1 } ?? 0 }
    self.fixes = memory.column([columns])
    altitude = column { $0.altitude ?? .nan }
    course = column { $0.course ?? .nan }
    deviceNames = names.map { memory.text($0) }
    format = memory.text(report.format?.rawValue ?? "")
    rejected = report.rejected
    problem = report.interruption.map { memory.text($0.description) }
  }

  /// Numbers the devices that have fixes from 0, in their order. Returns their names.
  ///
  /// The device of the file has none if the trace names its devices.
  private static func numberDevices(of fixes: inout [Fix], _ names: [String]) -> [String] {
    var isUsed = Array(repeating: false, count: names.count)
    for fix in fixes { isUsed[Int(fix.device.rawValue)] = true }
    var numbers: [DeviceNumber] = []
    var count: UInt32 = 0
    for used in isUsed {
      numbers.append(DeviceNumber(rawValue: count))
      if used { count += 1 }
    }
    for index in fixes.indices { fixes[index].device = numbers[Int(fixes[index].device.rawValue)] }
    return zip(names, isUsed).filter(\.1).map(\.0)
  }
}

// MARK: The library's functions

/// See fencepost.h.
@c @implementation
public func fp_trace_read(
  _ start: UnsafePointer<UInt8>?, _ length: Int, _ name: UnsafePointer<CChar>?,
  _ trace: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<fp_error>?
) -> Int32 {
  Failure.reported(to: error) { () throws(Failure) in
    guard let trace else { throw .null("trace") }
    trace.pointee = OpaquePointer(
      handleOf: try Trace(bytes(start, length, "bytes"), name: text(name, "name")))
  }
}

/// See fencepost.h.
@c @implementation
public func fp_trace_fixes(_ trace: OpaquePointer?) -> UnsafePointer<fp_fixes>? {
  trace?.object(Trace.self).fixes
}

/// See fencepost.h.
@c @implementation
public func fp_trace_altitude(_ trace: OpaquePointer?) -> UnsafePointer<Double>? {
  trace?.object(Trace.self).altitude
}

/// See fencepost.h.
@c @implementation
public func fp_trace_course(_ trace: OpaquePointer?) -> UnsafePointer<Double>? {
  trace?.object(Trace.self).course
}

/// See fencepost.h.
@c @implementation
public func fp_trace_device_count(_ trace: OpaquePointer?) -> Int {
  trace?.object(Trace.self).deviceNames.count ?? 0
}

/// See fencepost.h.
@c @implementation
public func fp_trace_device_name(_ trace: OpaquePointer?, _ device: Int) -> UnsafePointer<CChar>? {
  guard let names = trace?.object(Trace.self).deviceNames, names.indices.contains(device) else { return nil }
  return names[device]
}

/// See fencepost.h.
@c @implementation
public func fp_trace_format(_ trace: OpaquePointer?) -> UnsafePointer<CChar>? {
  trace?.object(Trace.self).format
}

/// See fencepost.h.
@c @implementation
public func fp_trace_rejected(_ trace: OpaquePointer?) -> Int { trace?.object(Trace.self).rejected ?? 0 }

/// See fencepost.h.
@c @implementation
public func fp_trace_problem(_ trace: OpaquePointer?) -> UnsafePointer<CChar>? {
  trace?.object(Trace.self).problem
}

/// See fencepost.h.
@c @implementation
public func fp_trace_free(_ trace: OpaquePointer?) { trace?.free(Trace.self) }
