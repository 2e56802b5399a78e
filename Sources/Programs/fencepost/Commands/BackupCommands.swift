import FencepostAlarmEngine
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostJSON
import Glibc

extension CommandContext {
  /// `backup FILE`.
  func backUp() throws {
    let file = parsed.positionals(.file)[0]
    guard file != "-" else {
      throw parsed.misuse("a backup can't go to standard output; name a file ('./-' for one called '-')")
    }
    let size = try openStoreToRead().backUp(to: file)
    if json {
      var line = JSONLine(type: "backup")
      line.add("file", file)
      line.add("bytes", Int(size))
      return try console.print(line.line)
    }
    try console.print("wrote \(FiringTable.plain(file)), \(max(1, size >> 10)) KiB")
  }

  /// `restore FILE [--yes]`.
  func restore() throws {
    let file = parsed.positionals(.file)[0]
    let path = try storePath()
    let count = try CalendarStore.check(file)
    if access(path, F_OK) == 0 {
      let old = try openStoreToRead().read { try $0.itemCount() }
      try confirm("Replace the store (\(items(old))) with this backup (\(items(count)))?")
    }
    let restored = try CalendarStore.restore(file, to: path)
    if json {
      var line = JSONLine(type: "restore")
      line.add("file", file)
      line.add("items", restored)
      return try console.print(line.line)
    }
    try console.print("restored \(items(restored)) from \(FiringTable.plain(file))")
  }

  private func items(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
}
