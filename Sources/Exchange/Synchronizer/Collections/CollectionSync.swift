import FencepostCalDAVClient
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostReconciliation

/// Synchronizes one calendar with the other side.
///
/// It can be interrupted at any point: an object and its record are written in one transaction, names follow
/// from UIDs, and requests have conditions. The next run sees what is done and what is not.
final class CollectionSync {
  let store: CalendarStore
  let peer: any SyncPeer
  var collection: SyncedCalendar
  let isWritable: Bool
  let options: SyncOptions
  let now: Instant
  var counts = SyncCounts()
  /// What this run has seen of the server.
  var learned = ServerCapabilities()

  /// What changed on both sides; `nil` if there is nothing to do.
  var plan: SyncPlan?
  /// What the other side says of its state, to be kept after all that it stands for.
  var token: String?
  var changeTag: String?
  /// When all objects there were listed; `nil` if they were not in this run.
  var listed: Instant?
  /// The place in the log of changes at which the store was compared.
  var scanned: Int64 = 0
  /// The transactions of this run. What they changed needs no comparison.
  private var own: Set<Int64> = []
  /// False if the next run has to compare again.
  var isComplete = true
  /// Objects whose text on the other side is to be read once more.
  var unverified: [Sent] = []
  /// The objects that the other side has listed, and did not give.
  var unread = 0
  /// Failures of single objects in sequence.
  private var failuresInSequence = 0
  /// Objects that were read, and are to be deleted there: here they were removed, or moved to another
  /// calendar.
  var departed: [AgreedObject] = []
  /// The names of objects that are gone there.
  var gone: Set<String> = []
  /// Objects that are gone there, and were changed here after the comparison.
  var late: [AgreedObject] = []
  /// The other calendars of the account.
  var siblings = Siblings()

  /// An object that was sent.
  struct Sent {
    var name: String
    /// False for an earlier run.
    var isOfThisRun = true
  }

  static let batch = 50
  static let attempts = 3
  /// Seconds between two comparisons of all objects: a server may forget to say that one has changed.
  static let week = 7 * 86_400.0

  init(
    store: CalendarStore, peer: any SyncPeer, collection: SyncedCalendar, isWritable: Bool,
    options: SyncOptions,
    now: Instant
  ) {
    self.store = store
    self.peer = peer
    self.collection = collection
    self.isWritable = isWritable
    self.options = options
    self.now = now
  }

  /// What this calendar is for the others of its account.
  var member: Siblings.Member {
    let gone = plan.map { $0.removals + $0.revivals + $0.forgotten } ?? []
    return Siblings.Member(collection: collection, gone: Set(gone.map { ExactText($0.uid) }))
  }

  /// All steps for a calendar without others.
  func run() throws {
    try compare(isNews: true, changeTag: nil)
    try pullChanges()
    try pullRemovals()
    try pushDeletions()
    try pushChanges()
  }

  /// Sends an object. A problem of the other side with this one does not stop the others.
  func trySending(_ body: () throws -> Void) throws {
    do {
      try body()
      failuresInSequence = 0
    } catch let failure as DAVFailure where failure.kind == .later && failure.retryAfter == nil {
      failuresInSequence += 1
      // The problem is not the object.
      if failuresInSequence == 3 { throw failure }
      isComplete = false
      counts.failed += 1
    }
  }

  func write<Result>(_ body: (borrowing StoreWriter) throws -> Result) throws -> Result {
    try store.write { writer in
      let result = try body(writer)
      // Without an entry in the log, the next transaction, perhaps of another program, has the same number.
      if try writer.reader.lastChange() >= writer.transactionNumber { own.insert(writer.transactionNumber) }
      return result
    }
  }

  // MARK: Notes

  func recordComparison() {
    guard isComplete, departed.isEmpty, counts.waitingDeletions == 0, !options.isDryRun else { return }
    collection.compared = scanned
  }

  /// Keeps how far this run has come.
  func save() throws {
    if collection.compared == scanned, let compared = collection.compared {
      // The changes of this run itself need no scan.
      let changes = try store.read { try $0.changes(after: compared) }
      collection.compared = changes.prefix { own.contains($0.transaction) }.last?.sequence ?? compared
    }
    try write { writer in
      guard try writer.reader.syncedCalendar(of: collection.calendar)?.number == collection.number else {
        return
      }
      try writer.save(&collection)
    }
  }
}
