import CalendarModel
import CalendarStore
import CommandLineTable

extension CommandContext {
  /// `candidates KIND`: what a shell may offer where an identifier or a name is due.
  func printCandidates() throws {
    // A shell asks while somebody types: where there is no store, there is nothing to offer.
    guard let kind = parsed.positional("kind"), let store = try? openStoreToRead() else { return }
    let found: [String] = try store.read { reader in
      switch kind {
      case "items": try reader.incompleteReminders().prefix(200).map { String($0.id.rawValue.prefix(8)) }
      case "lists": try reader.calendars().map(\.title)
      case "sources": try reader.sources().map(\.title)
      case "places": try reader.namedPlaces().map(\.title)
      default: []
      }
    }
    for candidate in found { try console.print(FiringTable.plain(candidate)) }
  }
}
