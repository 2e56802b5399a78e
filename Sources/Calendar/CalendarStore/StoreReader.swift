import FencepostDatabase

/// The store at one moment, for the closure of ``CalendarStore/read(_:)``.
///
/// Its methods are queries, one file per topic: accounts, items, occurrences, reminders, places, fences, due
/// times, the ledger, devices, changes, settings.
///
/// It cannot be copied or stored, because it is invalid after its scope. A function that takes it declares
/// the parameter `borrowing`.
public struct StoreReader: ~Copyable {
  let connection: SQLiteConnection

  // Inlined into a specialised scope, it crashes the optimiser of Swift 6.3.1.
  @inline(never) init(connection: SQLiteConnection) { self.connection = connection }
}
