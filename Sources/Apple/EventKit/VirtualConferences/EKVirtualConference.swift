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
