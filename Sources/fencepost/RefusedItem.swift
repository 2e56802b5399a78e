import CalendarModel
import CalendarStore
import JSON

/// An item that a server refuses, by its title.
struct RefusedItem {
  let refusal: SyncRefusal
  /// Its title; its UID if it is gone.
  let title: String

  init(_ refusal: SyncRefusal, in reader: borrowing StoreReader) throws {
    self.refusal = refusal
    title = try reader.items(uid: refusal.uid).first?.title ?? refusal.uid
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("uid", refusal.uid)
    line.add("title", title)
    line.add("reason", refusal.reason)
    line.add("since", refusal.refused.rfc3339())
    return line
  }
}
