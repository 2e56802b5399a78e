public import FencepostCalendarModel
public import FencepostDatabase

/// An app's donation of a reservation, and what the app gets when a person opens the reservation there.
public struct Donation: Hashable, Sendable {
  /// The app's name: the bundle identifier, or the name of its program.
  public var app: String
  /// The app's identifier of the reservation.
  public var identifier: String
  /// The group that the app put it in.
  public var group: String?
  /// What the app gets when it opens the reservation: JSON on one line.
  public var intent: String

  /// A donation.
  public init(app: String, identifier: String, group: String? = nil, intent: String) {
    self.app = app
    self.identifier = identifier
    self.group = group
    self.intent = intent
  }

  /// A selection of an app's donations.
  public enum Choice: Hashable, Sendable {
    case all
    case identifiers([String])
    case group(String)
  }
}

extension StoreReader {
  /// The last donation of the reservation that became an item; `nil` if no app donated it.
  public func donation(of item: Identifier<CalendarItem>) throws(StoreError) -> Donation? {
    try connection.first(Queries.ofItem, { $0.add(item) }) { row in
      let (app, identifier) = (row.text(), row.text())
      return Donation(app: app, identifier: identifier, group: row.optionalText(), intent: row.text())
    }
  }
}

extension StoreWriter {
  /// Saves a donation with its suggestion.
  public func save(_ donation: Donation, of suggestion: Identifier<Suggestion>) throws(StoreError) {
    for query in [Queries.forget, Queries.add] {
      try connection.run(query) {
        $0.add(donation.app)
        $0.add(donation.identifier)
        $0.add(suggestion)
        if query === Queries.forget { return }
        $0.add(donation.group)
        $0.add(donation.intent)
      }
    }
  }

  /// Removes donations of an app, with the waiting suggestions that only this app donated.
  public func withdrawDonations(of app: String, _ choice: Donation.Choice) throws(StoreError) {
    switch choice {
    case .all: try connection.run(Queries.forgetAll) { $0.add(app) }
    case .identifiers(let identifiers):
      for identifier in identifiers {
        try connection.run(Queries.forgetIdentifier) {
          $0.add(app)
          $0.add(identifier)
        }
      }
    case .group(let group):
      try connection.run(Queries.forgetGroup) {
        $0.add(app)
        $0.add(group)
      }
    }
    try connection.run(Queries.removeOrphans) { $0.add(app) }
  }
}

private enum Queries {
  static let ofItem = SQL(
    """
    SELECT app, identifier, group_identifier, intent FROM donations
    WHERE suggestion IN (SELECT id FROM suggestions WHERE item = ?) ORDER BY row DESC LIMIT 1
    """)
  static let forget = SQL("DELETE FROM donations WHERE app = ? AND identifier = ? AND suggestion = ?")
  static let add = SQL(
    "INSERT INTO donations (app, identifier, suggestion, group_identifier, intent) VALUES (?, ?, ?, ?, ?)")
  static let forgetAll = SQL("DELETE FROM donations WHERE app = ?")
  static let forgetIdentifier = SQL("DELETE FROM donations WHERE app = ? AND identifier = ?")
  static let forgetGroup = SQL("DELETE FROM donations WHERE app = ? AND group_identifier = ?")
  static let removeOrphans = SQL(
    """
    DELETE FROM suggestions WHERE app = ? AND state = 'proposed' AND sender IS NULL AND message IS NULL
      AND id NOT IN (SELECT suggestion FROM donations)
    """)
}
