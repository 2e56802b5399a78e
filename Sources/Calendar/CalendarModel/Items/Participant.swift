/// A person, room or other resource that takes part (`EKParticipant`; ATTENDEE and ORGANIZER).
public struct Participant: Hashable, Sendable {
  /// The kind of participant. Raw values are `EKParticipantType`'s.
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0, person, room, resource, group
  }

  /// The role in the event. Raw values are `EKParticipantRole`'s.
  public enum Role: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0, required, optional, chair, nonParticipant
  }

  /// The answer to the invitation. Raw values are `EKParticipantStatus`'s.
  public enum Status: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0, pending, accepted, declined, tentative, delegated, completed, inProcess
  }

  /// Its address, usually a `mailto:` URI.
  public var url: String
  /// Its name; CN.
  public var name: String?
  /// The kind of participant; CUTYPE.
  public var kind: Kind
  /// The role in the event; ROLE.
  public var role: Role
  /// The answer to the invitation; PARTSTAT.
  public var status: Status
  /// Whether it is the owner of the store.
  public var isCurrentUser: Bool
  /// Parameters that this model has no field for, as `NAME=value`. They are exported again.
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
