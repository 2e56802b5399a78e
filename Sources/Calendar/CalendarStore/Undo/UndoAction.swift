public import FencepostCalendarModel

/// What a person, a client or an agent did, as undo calls it. Commands have their line instead.
///
/// The raw value is a word in the store and for programs. The pages have a sentence for each (`core/steps.js`).
public enum UndoAction: String, Hashable, Sendable, CaseIterable {
  case add, edit, remove, complete, reopen, snooze, move, copy
  /// An alarm was acknowledged.
  case putAside = "put aside"
  case addList = "add list"
  case editList = "edit list"
  case removeList = "remove list"
  case keepPlace = "keep place"
  case removePlace = "remove place"
  case addSource = "add source"
  case renameSource = "rename source"
  case removeSource = "remove source"
  case unsubscribe
  /// The items or places of a file.
  case importFile = "import"
  case acceptSuggestion = "accept suggestion"
  case acceptTentatively = "tentative suggestion"
  case declineSuggestion = "decline suggestion"
  case rejectSuggestion = "reject suggestion"
  case reopenSuggestion = "reopen suggestion"
  /// Properties that a calendar client keeps with a list or an account.
  case editProperties = "edit properties"
}

extension UndoLabel {
  /// A label for what is done to something: `edit Milk`.
  ///
  /// - Parameters:
  ///   - action: What is done.
  ///   - title: The title of the item, list, place or file.
  ///   - author: Who does it.
  ///   - group: As for labels of commands.
  public init(
    _ action: UndoAction, _ title: String, by author: ChangeAuthor, at time: Instant,
    partOf group: String? = nil
  ) {
    self.init(
      title.isEmpty ? action.rawValue : "\(action.rawValue) \(title)", by: author, at: time, partOf: group)
  }
}
