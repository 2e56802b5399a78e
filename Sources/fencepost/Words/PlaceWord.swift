import CalendarModel
import CalendarStore
import CommandLineTable
import Geodesy
import Glibc

extension CommandContext {
  /// The place that a word says: a coordinate, or the name of a place that was given one.
  ///
  /// A coordinate's place is called after `--place-name`, else after itself.
  func place(_ text: String) throws -> StructuredLocation {
    let wrong: WordError
    do {
      let coordinate = try CoordinatePhrase.coordinate(text)
      return StructuredLocation(title: "\(coordinate)", coordinate: coordinate)
    } catch {
      wrong = error
    }
    let path = try storePath()
    let places = access(path, F_OK) == 0 ? try openStoreToRead().read { try $0.namedPlaces() } : []
    let wanted = text.lowercased()
    if let found = places.first(where: { $0.title == text })
      ?? places.first(where: { $0.title.lowercased() == wanted })
    {
      return found
    }
    // What has digits and a comma was meant to be a coordinate.
    if text.contains(",") && text.contains(where: \.isNumber) { throw wrong }
    throw CommandError(
      "'\(text)' is no coordinate, and no place is called that; "
        + (Spelling.suggestion(for: text, among: places.map(\.title))
          ?? "try 52.5208,13.4094, or name it with 'fencepost places add'"))
  }
}
