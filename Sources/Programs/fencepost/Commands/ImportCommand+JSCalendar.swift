import FencepostCalendarStore
import FencepostICalendar
import FencepostInterchange
import FencepostItems
import FencepostJSON
import FencepostSystem

extension CommandContext {
  /// Merges a file of JSCalendar. Its objects change the items that are there.
  func mergeJSCalendar(
    _ path: String, into store: CalendarStore, _ options: ImportOptions, _ warnings: WarningLog,
    _ observer: @escaping SteppedMerge.Observer
  ) throws -> MergeCounts {
    let bytes = try WholeFile.read(path)
    let document: JSCalendarDocument
    do {
      document = try JSCalendarDocument(reading: bytes, resolver: resolver, at: now) { uid in
        try store.read { try $0.items(uid: uid) }
      }
    } catch let error as JSONFailure {
      throw CommandError("\(path):\(error.line): \(error.complaint)")
    } catch let error as ItemPatchError {
      throw CommandError("\(path): \(error.sentence)")
    }
    guard !options.prunes || document.problems.isEmpty else {
      throw CommandError("\(path): \(document.problems[0].sentence); --prune would remove what is broken")
    }
    return try mergeParts(into: store, options, warnings, observer) { merge in
      var header = ICalendarHeader()
      header.name = document.title
      try merge.take(.header(header))
      for item in document.items { try merge.take(.item(item)) }
      let shown = document.problems.prefix(1_000)
      return (
        shown.map { "\(path): \($0.sentence); the entry was skipped" }, document.problems.count - shown.count
      )
    }
  }
}
