import FencepostCalendarModel
import FencepostRecurrence
import Glibc

// A database reads its zones from files, so each input becomes a file in this process's own directory.
nonisolated(unsafe) private let directory: String = {
  var template = Array("/dev/shm/fuzz-zones-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { fatalError("no directory") }
  return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}()

/// Reads bytes as a compiled time zone file, and queries it at near and far times.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let file = fopen("\(directory)/Fuzz", "w") else { fatalError("no file") }
  fwrite(start, 1, count, file)
  fclose(file)
  let database = TimeZoneDatabase(directory: directory, environmentZone: nil)
  guard let zone = database.zone(TimeZoneID(rawValue: "Fuzz")) else { return 0 }
  for year in [-9999, 1, 1900, 1970, 2026, 2038, 2400, 9999, 250_000] {
    let civil = CivilDateTime(year: year, month: 3, day: 29, hour: 2, minute: 30)
    let instant = zone.instant(of: civil)
    _ = zone.civil(at: instant)
  }
  return 0
}
