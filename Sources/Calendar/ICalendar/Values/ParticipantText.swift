import FencepostCalendarModel

/// ATTENDEE and ORGANIZER (RFC 5545, sections 3.8.4.1 and 3.8.4.3).
enum ParticipantText {
  private static let kinds: [(String, Participant.Kind)] = [
    ("INDIVIDUAL", .person), ("ROOM", .room), ("RESOURCE", .resource), ("GROUP", .group),
  ]
  private static let roles: [(String, Participant.Role)] = [
    ("REQ-PARTICIPANT", .required), ("OPT-PARTICIPANT", .optional), ("CHAIR", .chair),
    ("NON-PARTICIPANT", .nonParticipant),
  ]
  private static let statuses: [(String, Participant.Status)] = [
    ("NEEDS-ACTION", .pending), ("ACCEPTED", .accepted), ("DECLINED", .declined),
    ("TENTATIVE", .tentative), ("DELEGATED", .delegated), ("COMPLETED", .completed),
    ("IN-PROCESS", .inProcess),
  ]
  private static let currentUser = "X-FENCEPOST-CURRENT-USER"

  /// Reads a participant. It keeps unknown parameters and parameter values.
  static func read(_ line: ContentLine) -> Participant {
    var participant = Participant(url: line.value)
    for parameter in line.parameters {
      let value = parameter.value.uppercased()
      var isUnderstood = true
      switch parameter.name {
      case "CN": participant.name = parameter.value
      case "CUTYPE": isUnderstood = set(&participant.kind, value, kinds)
      case "ROLE": isUnderstood = set(&participant.role, value, roles)
      case "PARTSTAT": isUnderstood = set(&participant.status, value, statuses)
      case currentUser: participant.isCurrentUser = value == "TRUE"
      default: isUnderstood = false
      }
      if !isUnderstood { participant.preservedParameters.append(parameter.text) }
    }
    return participant
  }

  /// The parameters of `participant`, as `NAME=value`.
  static func parameters(_ participant: Participant) -> [String] {
    var parameters: [String] = []
    if let name = participant.name { parameters.append("CN=\(ParameterText.encode(name))") }
    if let kind = kinds.first(where: { $0.1 == participant.kind }) { parameters.append("CUTYPE=\(kind.0)") }
    if let role = roles.first(where: { $0.1 == participant.role }) { parameters.append("ROLE=\(role.0)") }
    if let status = statuses.first(where: { $0.1 == participant.status }) {
      parameters.append("PARTSTAT=\(status.0)")
    }
    if participant.isCurrentUser { parameters.append("\(currentUser)=TRUE") }
    return parameters
  }

  private static func set<T>(_ field: inout T, _ text: String, _ table: [(String, T)]) -> Bool {
    guard let entry = table.first(where: { $0.0 == text }) else { return false }
    field = entry.1
    return true
  }
}
