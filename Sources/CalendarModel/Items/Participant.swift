/// Somebody, or a room, who takes part (`EKParticipant`; ATTENDEE and ORGANIZER).
public struct Participant: Hashable, Sendable {
  /// What it is. Raw values are `EKParticipantType`'s.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0, person, room, resource, group
  }

  /// Why it is asked. Raw values are `EKParticipantRole`'s.
  public enum Role: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0, required, optional, chair, nonParticipant
  }

  /// What it answered. Raw values are `EKParticipantStatus`'s.
  public enum Status: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0, pending, accepted, declined, tentative, delegated, completed, inProcess
  }

  /// Its address, usually a `mailto:` URI.
  public var url: String
  /// Its name; CN.
  public var name: String?
  /// What it is; CUTYPE.
  public var kind: Kind
  /// Why it is asked; ROLE.
  public var role: Role
  /// What it answered; PARTSTAT.
  public var status: Status
  /// True where it is the store's owner.
  public var isCurrentUser: Bool
  /// Parameters that this model has no field for, as `NAME=value`, kept to be written again.
  public var preservedParameters: [String]

  /// A participant.
  public init(
    url: String, name: String? = nil, kind: Kind = .unknown, role: Role = .unknown,
    status: Status = .unknown, isCurrentUser: Bool = false, preservedParameters: [String] = []
  ) {
    self.url = url
    self.name = name
    self.kind = kind
    self.role = role
    self.status = status
    self.isCurrentUser = isCurrentUser
    self.preservedParameters = preservedParameters
  }
}
