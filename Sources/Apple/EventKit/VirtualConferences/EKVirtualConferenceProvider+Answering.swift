import FencepostJSON
import Foundation

extension EKVirtualConferenceProvider {
  /// Answers one request on standard input, and writes the answer to standard output. A provider's program
  /// calls this and ends:
  ///
  ///     await MyProvider().answer()
  ///
  /// Fencepost's own. A file in `$XDG_DATA_DIRS/fencepost/conferences` names the program; the room
  /// Conferences describes both.
  public nonisolated(nonsending) func answer() async {
    guard let request = readLine() else { return }
    print(await answer(to: request))
  }

  /// The answer to a request; both are JSON on one line.
  nonisolated(nonsending) func answer(to request: String) async -> String {
    do {
      let json = try JSONValue(readingCommented: Array(request.utf8), maxDepth: 4)
      switch json["type"]?.text {
      case "room-types":
        var line = JSONLine(type: "room-types")
        let types = try await fetchAvailableRoomTypes()
        line.add(
          "room_types",
          types.map { type in
            var room = JSONLine()
            room.add("id", type.identifier)
            room.add("title", type.title)
            return room
          })
        return line.line
      case "conference":
        return try await fetchVirtualConference(identifier: json["room_type"]?.text ?? "").line
      default: return Self.failure("unknown request")
      }
    } catch {
      return Self.failure(error.localizedDescription)
    }
  }

  private static func failure(_ message: String) -> String {
    var line = JSONLine(type: "error")
    line.add("message", message)
    return line.line
  }
}

extension EKVirtualConferenceDescriptor {
  fileprivate var line: String {
    var line = JSONLine(type: "conference")
    line.add("title", title)
    line.add("details", conferenceDetails)
    line.add(
      "urls",
      urlDescriptors.map { descriptor in
        var url = JSONLine()
        url.add("title", descriptor.title)
        url.add("url", descriptor.url.absoluteString)
        return url
      })
    return line.line
  }
}
