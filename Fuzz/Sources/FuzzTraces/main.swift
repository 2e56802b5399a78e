import FencepostCalendarModel
import FencepostGeodesy
import FencepostPositionFeeds

/// Reads bytes as a trace in any detected format.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let reader = try? TraceReader(bytes: bytes, name: "fuzz", devices: DeviceRegistry()) else { return 0 }
  var fixes: [Fix] = []
  while (try? reader.read(into: &fixes, limit: 100)) ?? false {
    for fix in fixes {
      precondition(fix.coordinate.isValid)
      precondition(fix.horizontalAccuracy.map { $0 > 0 } ?? true)
      precondition(fix.speed.map { $0 >= 0 } ?? true)
      precondition(fix.course.map { $0 >= 0 && $0 <= 360 } ?? true)
      precondition(fix.altitude?.isNaN != true)
    }
  }
  precondition(reader.report.rejections.values.allSatisfy { $0.count > 0 })
  return 0
}
