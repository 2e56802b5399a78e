import FencepostCalendarModel
import FencepostICalendar
import FencepostJSON

extension JSCalendarPatch {
  /// Applies `participants` and `replyTo`. People without an address are only kept as words.
  func applyParticipants(to item: inout CalendarItem) throws(ItemPatchError) {
    let known = Dictionary(
      item.attendees.enumerated().map { ($1.url.lowercased(), (place: $0, person: $1)) }
    ) { first, _ in first }
    var organizer: Participant?
    var attendees: [(place: Int, person: Participant)] = []
    for member in try reader("participants").map(most: 1_000) {
      let words = try ParticipantWords(member)
      guard let url = words.url else { continue }
      if words.roles.contains("owner") {
        organizer = participant(words, url, from: item.organizer, roles: nil)
      }
      if words.roles != ["owner"] {
        let old = known[url.lowercased()]
        let place = old?.place ?? item.attendees.count + attendees.count
        attendees.append((place, participant(words, url, from: old?.person, roles: words.roles)))
      }
    }
    let replyTo = try reader("replyTo").textMap()
    if organizer == nil, let url = replyTo.first?.text {
      organizer = item.organizer?.url == url ? item.organizer : Participant(url: url)
    }
    item.organizer = organizer
    // An unchanged set in another order is no change.
    item.attendees = attendees.enumerated().sorted {
      ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
    }.map(\.element.person)
  }

  private func participant(
    _ words: ParticipantWords, _ url: String, from old: Participant?, roles: Set<String>?
  ) -> Participant {
    var participant =
      old.flatMap { $0.url.lowercased() == url.lowercased() ? $0 : nil } ?? Participant(url: url)
    participant.name = words.name
    let kinds: [Participant.Kind] = [.person, .group, .resource, .room]
    if words.kind != participant.kind.word {
      participant.kind = kinds.first { $0.word == words.kind } ?? .unknown
    }
    let statuses: [Participant.Status] = [.pending, .accepted, .declined, .tentative, .delegated]
    if words.status != participant.status.word {
      participant.status = statuses.first { $0.word == words.status } ?? .unknown
    }
    if let roles, roles.subtracting(["owner"]) != Set(participant.roles) {
      participant.role =
        roles.contains("chair")
        ? .chair
        : roles.contains("optional") ? .optional : roles.contains("attendee") ? .required : .nonParticipant
    }
    return participant
  }
}

/// What an object says about a participant (RFC 8984, section 4.4.6).
private struct ParticipantWords {
  var name: String?
  var kind: String?
  var status: String?
  var roles: Set<String>
  /// The address; `nil` without an address, or if it can't be kept.
  var url: String?

  init(_ member: JSONMember) throws(ItemPatchError) {
    let path = "participants/\(JSONPointer.escaped(member.key))/"
    func part(_ name: String) -> PatchReader { PatchReader(member.value[name], key: path + name) }
    name = try part("name").optionalText()
    kind = try part("kind").optionalText()
    status = try part("participationStatus").optionalText()
    roles = Set(try part("roles").set())
    let email = try part("email").optionalText().map { "mailto:" + $0 }
    let ways = try part("sendTo").textMap()
    let address =
      ways.first { $0.key == "imip" }?.text ?? ways.first { $0.key == "other" }?.text ?? email
    url = address.flatMap { text in
      text.isEmpty || text.utf8.contains { $0 <= 0x20 || $0 == 0x7F } ? nil : text
    }
  }
}

extension PatchReader {
  /// The members of a map of texts, in order.
  fileprivate func textMap() throws(ItemPatchError) -> [(key: String, text: String)] {
    if value.isNull { return [] }
    guard let members = value.members else { throw fail("must be an object, not \(value.kind)") }
    var texts: [(key: String, text: String)] = []
    for member in members {
      let reader = PatchReader(value: member.value, key: "\(key)/\(JSONPointer.escaped(member.key))")
      texts.append((member.key, try reader.text()))
    }
    return texts
  }
}
