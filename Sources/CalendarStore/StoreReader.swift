/// The store as it stood at one moment: what ``CalendarStore/read(_:)`` hands to its closure.
///
/// Its methods are queries, a topic a file: accounts, items, occurrences, reminders, places, fences, due
/// times, the ledger, devices, changes, settings.
///
/// It cannot be copied or kept: it is of no use once its scope has ended. A function that takes it declares
/// the parameter `borrowing`.
public struct StoreReader: ~Copyable {
  let connection: SQLiteConnection

  // Inlined into a specialised scope, it makes the optimiser of Swift 6.3.1 crash.
  @inline(never) init(connection: SQLiteConnection) { self.connection = connection }
}
