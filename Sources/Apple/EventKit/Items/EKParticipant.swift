import FencepostCalendarModel
public import Foundation

/// A person or a room that takes part in an event, from the store. Read-only.
open class EKParticipant: EKObject, NSCopying {
  private let participant: Participant

  /// A participant without values, for subclasses in tests.
  public override init() { participant = Participant(url: "") }

  init(_ participant: Participant) {
    self.participant = participant
  }

  /// The address, usually a `mailto:` URL.
  open var url: URL { URL(string: participant.url) ?? URL(fileURLWithPath: participant.url) }
  /// The name.
  open var name: String? { participant.name }
  /// The answer.
  open var participantStatus: EKParticipantStatus {
    EKParticipantStatus(rawValue: participant.status.rawValue) ?? .unknown
  }
  /// The role.
  open var participantRole: EKParticipantRole {
    EKParticipantRole(rawValue: participant.role.rawValue) ?? .unknown
  }
  /// The type.
  open var participantType: EKParticipantType {
    EKParticipantType(rawValue: participant.kind.rawValue) ?? .unknown
  }
  /// True if it is the store's owner.
  open var isCurrentUser: Bool { participant.isCurrentUser }
  /// A predicate for the participant's contact. There are no contacts here, so it matches none.
  open var contactPredicate: NSPredicate { NSPredicate(value: false) }
  /// False: only the store creates participants.
  open override var isNew: Bool { false }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any { EKParticipant(participant) }

  /// True if both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? EKParticipant)?.participant == participant
  }

  /// Hashes the values.
  open override var hash: Int { participant.hashValue }
}
