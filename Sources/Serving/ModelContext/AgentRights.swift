import FencepostCalendarModel
import FencepostCalendarStore
import FencepostStoreAccess

/// What an agent may do now. It is an app like any other, so the decisions of `fencepost access` hold for it.
struct AgentRights {
  private let levels: [AccessSubject: AccessLevel]

  /// The rights by the decisions of the store. Without a policy of the owner, an agent waits for an answer.
  init(of key: String, in reader: borrowing StoreReader) throws(StoreError) {
    var levels: [AccessSubject: AccessLevel] = [:]
    for subject in [AccessSubject.events, .reminders, .location] {
      levels[subject] = try reader.accessLevel(of: key, entity: subject.rawValue, orElse: .ask)
    }
    self.levels = levels
  }

  /// The access to events, reminders or the location.
  subscript(_ subject: AccessSubject) -> AccessLevel { levels[subject] ?? .denied }

  /// The kinds of items that it may read and change.
  var kinds: ItemCalendar.Entities {
    AppRights(events: self[.events], reminders: self[.reminders]).kinds
  }

  /// Whether it may know where devices are.
  var seesLocation: Bool { self[.location] == .full }

  /// Whether it may read and change an item.
  func includes(_ item: CalendarItem) -> Bool { kinds.contains(item.isEvent ? .events : .reminders) }
}

/// Why a tool has no result, in a sentence for the agent and its person.
struct ToolFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// The refusal for a lack of access: of one that waits, and of one that was refused.
  init(lacking what: String, _ level: AccessLevel, key: String) {
    switch level {
    case .notDetermined:
      description = """
        '\(key)' waits for an answer about access to \(what). Ask the person to run 'fencepost access answer', or \
        'fencepost access grant \(key)', then try again.
        """
    case .writeOnly:
      description = "'\(key)' may add, but not read or change \(what)."
    case .denied, .restricted, .full:
      description = "'\(key)' has no access to \(what). The person can change that with 'fencepost access'."
    }
  }
}
