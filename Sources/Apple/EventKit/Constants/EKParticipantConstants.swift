/// The type of a participant.
public enum EKParticipantType: Int, Sendable {
  case unknown = 0
  case person = 1
  case room = 2
  case resource = 3
  case group = 4
}

/// The role of a participant.
public enum EKParticipantRole: Int, Sendable {
  case unknown = 0
  case required = 1
  case optional = 2
  case chair = 3
  case nonParticipant = 4
}

/// The answer of a participant.
public enum EKParticipantStatus: Int, Sendable {
  case unknown = 0
  case pending = 1
  case accepted = 2
  case declined = 3
  case tentative = 4
  case delegated = 5
  case completed = 6
  case inProcess = 7
}

/// The delivery status of an invitation.
public enum EKParticipantScheduleStatus: Int, Sendable {
  case none = 0
  case pending = 1
  case sent = 2
  case delivered = 3
  case recipientNotRecognized = 4
  case noPrivileges = 5
  case deliveryFailed = 6
  case cannotDeliver = 7
  case recipientNotAllowed = 8
}
