// Rooms of Jitsi Meet for events, as an app provides them with Apple's EventKit. Only the last line is
// Fencepost's own.
//
//     fencepost add event Standup --start 'monday 9:00' --conference jitsi
//
// The file jitsi.json next to this one announces it to the editors; copy it to
// ~/.local/share/fencepost/conferences.

import EventKit

final class JitsiRooms: EKVirtualConferenceProvider {
  /// The server: any Jitsi Meet works.
  private let server = ProcessInfo.processInfo.environment["JITSI_SERVER"] ?? "https://meet.jit.si"

  override func fetchAvailableRoomTypes() async throws -> [EKVirtualConferenceRoomTypeDescriptor] {
    [
      EKVirtualConferenceRoomTypeDescriptor(title: "New room", identifier: "new"),
      EKVirtualConferenceRoomTypeDescriptor(title: "Personal room", identifier: "personal"),
    ]
  }

  override func fetchVirtualConference(
    identifier: EKVirtualConferenceRoomTypeIdentifier
  ) async throws -> EKVirtualConferenceDescriptor {
    // A room is only as secret as its name.
    let name = identifier == "personal" ? "room-of-\(NSUserName())" : UUID().uuidString
    guard let url = URL(string: "\(server)/\(name)") else { throw EKError(.internalFailure) }
    return EKVirtualConferenceDescriptor(
      title: "Jitsi Meet", urlDescriptors: [EKVirtualConferenceURLDescriptor(title: nil, url: url)],
      conferenceDetails: "Join with a browser; no account is needed.")
  }
}

await JitsiRooms().answer()
