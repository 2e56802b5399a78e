import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostCommandLineTable
import FencepostDaemonControl
import FencepostItems
import FencepostJSON
import FencepostWebServer
import FoundationEssentials

extension FencepostTable {
  /// `clients invite`.
  static let invite = Command(
    "invite", summary: "Share a list with another person by a link",
    discussion: [
      """
      Whoever opens the link first gives a name, sees this list alone in the web app, and may change it. Each change \
      says who made it. `clients revoke` takes the access away, or makes a link useless that nobody has opened yet.
      """
    ],
    examples: [
      Example("fencepost clients invite Errands", "Share a list for reading and writing"),
      Example("fencepost clients invite Errands --read-only --days 1", "For reading, within a day"),
    ],
    options: [
      .flag(.readOnly, "The person may read, and not change"),
      .value(.days, "N", default: "\(ClientRegistry.usualInvitationDays)", "Days for which the link works"),
    ],
    positionals: [
      Positional(.name, .required, "Name of the list or calendar", completion: .program("lists"))
    ],
    action: .run(isUndoable: false) { try $0.inviteToList() })
}

extension CommandContext {
  /// `clients invite LIST [--read-only] [--days N]`.
  func inviteToList() throws {
    let days = try parsed.integer(.days, in: ClientRegistry.invitationDays)
    let name = try parsed.required(.name)
    let store = try openExistingStore()
    let found = try store.read { try $0.lists(called: name) }
    guard let list = found.first, found.count == 1 else {
      throw CommandError(
        "several lists are named '\(name)'; name one by its number: "
          + found.map { "'\($0.id.rawValue.prefix(8))'" }.joined(separator: ", "))
    }
    let (invitation, key) = try registry(store).invite(
      to: list.id, rights: parsed.flag(.readOnly) ? [.read] : [.read, .write],
      days: days ?? ClientRegistry.usualInvitationDays)
    let path = ClientRegistry.invitationPath(key: key)
    let server = (try? ControlSocket.ask(.web, at: controlSocket()))
      .flatMap { try? JSONDecoder().decode(WebKey.self, from: Data($0)).outside }
    let link = (server ?? "") + path
    if json {
      var line = try store.read { try storeLines.object(invitation, in: $0) }
      line.add("link", link)
      return try console.print(line.line)
    }
    try console.print(link)
    let until = TimeText(context: self).brief(CalendarTime(invitation.expires))
    console.say("It works once, until \(until). 'fencepost clients revoke \(invitation.id)' ends it before.")
    guard let server else {
      return console.say("No server runs now; put its address in front of the path.")
    }
    if (try? PhoneSetup.checkReach(of: PhoneSetup.host(ofServer: server))) == nil {
      console.say(
        "Only this machine reaches the address; 'fencepost setup' gives the server one for other devices.")
    }
  }
}
