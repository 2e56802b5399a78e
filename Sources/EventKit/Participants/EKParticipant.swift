import CalendarModel
public import Foundation

/// Somebody, or a room, who takes part in an event. Read only; comes out of the store.
open class EKParticipant: EKObject, NSCopying {
  private let participant: Participant

  /// Nobody, for subclasses in tests.
  public override init() { participant = Participant(url: "") }

  init(_ participant: Participant) {
    self.participant = participant
  }

  /// The address, usually a `mailto:` URL.
  open var url: URL { URL(string: participant.url) ?? URL(fileURLWithPath: participant.url) }
  /// The name.
  open var name: String? { participant.name }
  /// What was answered.
  open var participantStatus: EKParticipantStatus {
    EKParticipantStatus(rawValue: participant.status.rawValue) ?? .unknown
  }
  /// Why it is asked.
  open var participantRole: EKParticipantRole {
    EKParticipantRole(rawValue: participant.role.rawValue) ?? .unknown
  }
  /// What it is.
  open var participantType: EKParticipantType {
    EKParticipantType(rawValue: participant.kind.rawValue) ?? .unknown
  }
  /// True where it is the store's owner.
  open var isCurrentUser: Bool { participant.isCurrentUser }
  /// A predicate that finds the participant among contacts. There are none here, so it finds nobody.
  open var contactPredicate: NSPredicate { NSPredicate(value: false) }
  /// False: participants come out of the store.
  open override var isNew: Bool { false }

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any { EKParticipant(participant) }

  /// True where both say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? EKParticipant)?.participant == participant
  }

  /// By what it says.
  open override var hash: Int { participant.hashValue }
}
