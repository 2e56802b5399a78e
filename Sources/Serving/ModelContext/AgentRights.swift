import FencepostCalendarModel
import FencepostCalendarStore
import FencepostStoreAccess

/// What an agent may do now. It is an app like any other, so the decisions of `fencepost access` hold for it.
struct AgentRights {
  /// The rights to events and reminders, with their limits.
  let items: AppRights
  private let location: AccessLevel

  /// The rights by the decisions of the store. Without a policy of the owner, an agent waits for an answer.
  init(of key: String, in reader: borrowing StoreReader) throws(StoreError) {
    items = try AppRights(of: key, orElse: .ask, in: reader)
    location = try reader.accessLevel(of: key, entity: AccessSubject.location.rawValue, orElse: .ask)
  }

  /// The access to events, reminders or the location.
  subscript(_ subject: AccessSubject) -> AccessLevel {
    switch subject {
    case .events: items.events
    case .reminders: items.reminders
    case .location: location
    }
  }

  /// The kinds of items that it may read.
  var kinds: ItemCalendar.Entities { items.kinds }

  /// Whether it may know where devices are.
  var seesLocation: Bool { location == .full }
}

/// Why a tool has no result, in a sentence for the agent and its person.
struct ToolFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// The refusal for a lack of access: of one that waits, and of one that was refused.
  ///
  /// - Parameter option: The option of `fencepost access grant` that gives it, if it needs one.
  init(lacking what: String, _ level: AccessLevel, key: String, option: String = "") {
    switch level {
    case .notDetermined:
      description = """
        '\(key)' waits for an answer about access to \(what). Ask the person to run 'fencepost access answer', or \
        'fencepost access grant \(key)\(option)', then try again.
        """
    case .writeOnly:
      description = "'\(key)' may add, but not read or change \(what)."
    case .denied, .restricted, .full:
      description = "'\(key)' has no access to \(what). The person can change that with 'fencepost access'."
    }
  }
}
