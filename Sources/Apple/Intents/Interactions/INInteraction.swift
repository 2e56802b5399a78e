import FencepostCalendarStore
public import Foundation

/// Who began an interaction: a person or the app.
public enum INInteractionDirection: Int, Sendable {
  case unspecified = 0
  case outgoing = 1
  case incoming = 2
}

/// The progress of an intent.
public enum INIntentHandlingStatus: Int, Sendable {
  case unspecified = 0
  case ready = 1
  case inProgress = 2
  case success = 3
  case failure = 4
  case deferredToApplication = 5
  case userConfirmationRequired = 6
}

/// A person's action in an app: an intent and the app's answer.
///
/// Donate an interaction whose answer has reservations. Each becomes a suggestion in the inbox, under the
/// app's name. This needs no permission. Nothing enters a calendar before the user accepts it. Interactions
/// without reservations are ignored.
open class INInteraction: NSObject, NSCopying {
  /// The intent.
  public let intent: INIntent
  /// The answer.
  public let intentResponse: INIntentResponse?
  /// An identifier for ``delete(with:completion:)-7z1xj``; a UUID unless the app sets another.
  open var identifier: String = UUID().uuidString
  /// The group for ``delete(with:completion:)``.
  open var groupIdentifier: String?
  /// When it happened.
  open var dateInterval: DateInterval?
  /// Who began it.
  open var direction: INInteractionDirection = .unspecified
  /// The progress of the intent.
  open var intentHandlingStatus: INIntentHandlingStatus = .unspecified

  /// An interaction.
  public init(intent: INIntent, response: INIntentResponse?) {
    self.intent = intent
    intentResponse = response
  }

  /// A new interaction with the same parts.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = INInteraction(intent: intent, response: intentResponse)
    copy.identifier = identifier
    copy.groupIdentifier = groupIdentifier
    copy.dateInterval = dateInterval
    copy.direction = direction
    copy.intentHandlingStatus = intentHandlingStatus
    return copy
  }

  // MARK: Donating

  /// Donates the interaction. It is saved when this returns, so a program may end at once. `completion` is
  /// called on a background queue, with an ``INIntentError`` if a reservation has no place or time, or the
  /// store can't be written.
  open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
    Self.run(.donatingInteraction, completion) { try DonationDesk.standard().donate(self) }
  }

  /// Donates the interaction.
  open nonisolated(nonsending) func donate() async throws {
    try Self.run(.donatingInteraction) { try DonationDesk.standard().donate(self) }
  }

  // MARK: Deleting

  /// Deletes this app's donations. This removes waiting suggestions that have no other source. Accepted ones
  /// stay in the calendar.
  open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
    run(.deletingAllInteractions, completion) { try DonationDesk.standard().withdraw(.all) }
  }

  /// Deletes this app's donations.
  open nonisolated(nonsending) class func deleteAll() async throws {
    try run(.deletingAllInteractions) { try DonationDesk.standard().withdraw(.all) }
  }

  /// Deletes this app's donations with these identifiers.
  open class func delete(with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil) {
    run(.deletingInteractionWithIdentifiers, completion) {
      try DonationDesk.standard().withdraw(.identifiers(identifiers))
    }
  }

  /// Deletes this app's donations with these identifiers.
  open nonisolated(nonsending) class func delete(with identifiers: [String]) async throws {
    try run(.deletingInteractionWithIdentifiers) {
      try DonationDesk.standard().withdraw(.identifiers(identifiers))
    }
  }

  /// Deletes this app's donations of a group.
  open class func delete(
    with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    run(.deletingInteractionWithGroupIdentifier, completion) {
      try DonationDesk.standard().withdraw(.group(groupIdentifier))
    }
  }

  /// Deletes this app's donations of a group.
  open nonisolated(nonsending) class func delete(with groupIdentifier: String) async throws {
    try run(.deletingInteractionWithGroupIdentifier) {
      try DonationDesk.standard().withdraw(.group(groupIdentifier))
    }
  }

  private static func run(_ code: INIntentError.Code, _ body: () throws -> Void) throws {
    do { try body() } catch { throw INIntentError.make(code, error) }
  }

  private static func run(
    _ code: INIntentError.Code, _ completion: (@Sendable ((any Error)?) -> Void)?, _ body: () throws -> Void
  ) {
    let failure: INIntentError?
    do {
      try run(code, body)
      failure = nil
    } catch { failure = error as? INIntentError }
    if let completion { DispatchQueue.global().async { completion(failure) } }
  }
}
