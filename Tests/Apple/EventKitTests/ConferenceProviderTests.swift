import EventKit
import Testing

@testable import EventKit

@Suite("Providers of conferences")
struct ConferenceProviderTests {
  private final class Rooms: EKVirtualConferenceProvider {
    override func fetchAvailableRoomTypes() async throws -> [EKVirtualConferenceRoomTypeDescriptor] {
      [EKVirtualConferenceRoomTypeDescriptor(title: "My \"room\"", identifier: "mine")]
    }

    override func fetchVirtualConference(
      identifier: EKVirtualConferenceRoomTypeIdentifier
    ) async throws -> EKVirtualConferenceDescriptor {
      guard let url = URL(string: "https://call.example/\(identifier)") else {
        throw EKError(.internalFailure)
      }
      return EKVirtualConferenceDescriptor(
        title: nil, urlDescriptors: [EKVirtualConferenceURLDescriptor(title: "Web", url: url)],
        conferenceDetails: "Code 1")
    }
  }

  @Test("A provider answers requests in JSON, and one that overrides nothing too")
  func answers() async {
    let rooms = Rooms()
    #expect(
      await rooms.answer(to: #"{"type":"room-types"}"#)
        == #"{"type":"room-types","room_types":[{"id":"mine","title":"My \"room\""}]}"#)
    #expect(
      await rooms.answer(to: #"{"type":"conference","room_type":"mine"}"#)
        == #"{"type":"conference","title":null,"details":"Code 1","urls":[{"title":"Web","url":"https://call.example/mine"}]}"#
    )
    let empty = EKVirtualConferenceProvider()
    #expect(await empty.answer(to: #"{"type":"room-types"}"#) == #"{"type":"room-types","room_types":[]}"#)
    #expect(await empty.answer(to: #"{"type":"conference"}"#).hasPrefix(#"{"type":"error","message":"#))
    #expect(await empty.answer(to: "?").hasPrefix(#"{"type":"error""#))
  }
}
