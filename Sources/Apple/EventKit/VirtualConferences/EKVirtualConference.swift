import FencepostJSON
public import Foundation

/// The identifier of a room type. The app chooses it.
public typealias EKVirtualConferenceRoomTypeIdentifier = String

/// The base class of an app's provider for virtual conferences.
///
/// Its program calls ``answer()``. Event editors find it by a file; see the room Conferences.
open class EKVirtualConferenceProvider: NSObject, NSExtensionRequestHandling {
  /// Completes the request without results. The functions below provide the rooms.
  open func beginRequest(with context: NSExtensionContext) {
    context.completeRequest(returningItems: nil)
  }

  /// Finds the available room types. Override one of the two forms. By default there are none.
  open func fetchAvailableRoomTypes(
    completionHandler: @escaping ([EKVirtualConferenceRoomTypeDescriptor]?, (any Error)?) -> Void
  ) {
    completionHandler([], nil)
  }

  /// Finds the available room types. Override one of the two forms. By default this calls the other form.
  open nonisolated(nonsending) func fetchAvailableRoomTypes() async throws
    -> [EKVirtualConferenceRoomTypeDescriptor]
  {
    let result = await withUnsafeContinuation { continuation in
      fetchAvailableRoomTypes { types, error in continuation.resume(returning: Answer(types, error)) }
    }
    return try result.get()
  }

  /// Creates a room. Override one of the two forms. By default there is none.
  open func fetchVirtualConference(
    identifier: EKVirtualConferenceRoomTypeIdentifier,
    completionHandler: @escaping (EKVirtualConferenceDescriptor?, (any Error)?) -> Void
  ) {
    completionHandler(nil, EKError.make(.osNotSupported))
  }

  /// Creates a room. Override one of the two forms. By default this calls the other form.
  open nonisolated(nonsending) func fetchVirtualConference(
    identifier: EKVirtualConferenceRoomTypeIdentifier
  ) async throws -> EKVirtualConferenceDescriptor {
    let result = await withUnsafeContinuation { continuation in
      fetchVirtualConference(identifier: identifier) { conference, error in
        continuation.resume(returning: Answer(conference, error))
      }
    }
    return try result.get()
  }
}

/// The result of a provider's callback.
///
/// `@unchecked Sendable`: the callback passes it once to the waiting caller.
private struct Answer<Value>: @unchecked Sendable {
  let value: Value?
  let error: (any Error)?

  init(_ value: Value?, _ error: (any Error)?) {
    self.value = value
    self.error = error
  }

  func get() throws -> Value {
    if let error { throw error }
    guard let value else { throw EKError.make(.internalFailure) }
    return value
  }
}

/// A room for a virtual conference.
open class EKVirtualConferenceDescriptor: NSObject {
  /// The title of the room.
  public let title: String?
  /// The URLs to join.
  public let urlDescriptors: [EKVirtualConferenceURLDescriptor]
  /// Other details, for example a code.
  public let conferenceDetails: String?

  /// A room.
  public init(title: String?, urlDescriptors: [EKVirtualConferenceURLDescriptor], conferenceDetails: String?)
  {
    self.title = title
    self.urlDescriptors = urlDescriptors
    self.conferenceDetails = conferenceDetails
  }

  /// A room, with the labels of earlier SDKs.
  public convenience init(
    title: String?, URLDescriptors: [EKVirtualConferenceURLDescriptor], conferenceDetails: String?
  ) {
    self.init(title: title, urlDescriptors: URLDescriptors, conferenceDetails: conferenceDetails)
  }
}

/// A URL to join a conference.
open class EKVirtualConferenceURLDescriptor: NSObject {
  /// The title of the URL.
  public let title: String?
  /// The URL.
  public let url: URL

  /// Creates a URL to join.
  public init(title: String?, url: URL) {
    self.title = title
    self.url = url
  }

  /// Creates a URL to join, with the label of earlier SDKs.
  public convenience init(title: String?, URL url: URL) { self.init(title: title, url: url) }
}

/// A room type.
open class EKVirtualConferenceRoomTypeDescriptor: NSObject {
  /// The title for the user.
  public let title: String
  /// The identifier for the app.
  public let identifier: EKVirtualConferenceRoomTypeIdentifier

  /// Creates a room type.
  public init(title: String, identifier: EKVirtualConferenceRoomTypeIdentifier) {
    self.title = title
    self.identifier = identifier
  }
}

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

/// Handles requests to an app's extension. Part of Foundation on Apple's systems. It exists here so that
/// providers of virtual conferences compile; nothing on this system starts extensions.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Begins a request. The extension completes or cancels it.
  func beginRequest(with context: NSExtensionContext)
}

/// The context of a request to an extension. Part of Foundation on Apple's systems.
open class NSExtensionContext: NSObject {
  /// The input; always empty, because there are no requests.
  open var inputItems: [Any] { [] }

  /// Completes the request. Calls `completionHandler` with false: the host does not end the extension.
  open func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
    completionHandler?(false)
  }

  /// Cancels the request.
  open func cancelRequest(withError error: any Error) {}

  /// Asks the host to open a URL. That does not happen here: calls `completionHandler` with false.
  open func open(_ URL: URL, completionHandler: ((Bool) -> Void)? = nil) { completionHandler?(false) }
}

/// An item of an extension request or its result. Part of Foundation on Apple's systems.
open class NSExtensionItem: NSObject, NSCopying {
  /// Its title.
  open var attributedTitle: NSAttributedString?
  /// Its text.
  open var attributedContentText: NSAttributedString?
  /// Other information.
  open var userInfo: [AnyHashable: Any]?

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSExtensionItem()
    copy.attributedTitle = attributedTitle
    copy.attributedContentText = attributedContentText
    copy.userInfo = userInfo
    return copy
  }
}
