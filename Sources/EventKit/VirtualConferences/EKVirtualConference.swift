public import Foundation

/// The name of a kind of room, of the app's own choosing.
public typealias EKVirtualConferenceRoomTypeIdentifier = String

/// What an app subclasses to offer rooms for calls.
///
/// A value holder here: no calendar on this system asks for rooms.
open class EKVirtualConferenceProvider: NSObject, NSExtensionRequestHandling {
  /// Ends the request with nothing: rooms are asked for by the functions below.
  open func beginRequest(with context: NSExtensionContext) {
    context.completeRequest(returningItems: nil)
  }

  /// Finds the kinds of rooms there are. Override one of the two spellings; by default there are none.
  open func fetchAvailableRoomTypes(
    completionHandler: @escaping ([EKVirtualConferenceRoomTypeDescriptor]?, (any Error)?) -> Void
  ) {
    completionHandler([], nil)
  }

  /// The kinds of rooms there are. Override one of the two spellings; by default what the other one finds.
  open nonisolated(nonsending) func fetchAvailableRoomTypes() async throws
    -> [EKVirtualConferenceRoomTypeDescriptor]
  {
    let result = await withUnsafeContinuation { continuation in
      fetchAvailableRoomTypes { types, error in continuation.resume(returning: Answer(types, error)) }
    }
    return try result.get()
  }

  /// Makes a room. Override one of the two spellings; by default there is none.
  open func fetchVirtualConference(
    identifier: EKVirtualConferenceRoomTypeIdentifier,
    completionHandler: @escaping (EKVirtualConferenceDescriptor?, (any Error)?) -> Void
  ) {
    completionHandler(nil, EKError.make(.osNotSupported))
  }

  /// Makes a room. Override one of the two spellings; by default what the other one finds.
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

/// What a provider called back with.
///
/// `@unchecked Sendable`: handed over once, from the callback to the one who awaits it.
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

/// A room for a call.
open class EKVirtualConferenceDescriptor: NSObject {
  /// What tells it from the app's other rooms.
  public let title: String?
  /// How to join.
  public let urlDescriptors: [EKVirtualConferenceURLDescriptor]
  /// What else to say, such as a code.
  public let conferenceDetails: String?

  /// A room.
  public init(title: String?, urlDescriptors: [EKVirtualConferenceURLDescriptor], conferenceDetails: String?)
  {
    self.title = title
    self.urlDescriptors = urlDescriptors
    self.conferenceDetails = conferenceDetails
  }
}

/// A way to join a call.
open class EKVirtualConferenceURLDescriptor: NSObject {
  /// What tells it from the others.
  public let title: String?
  /// What to open.
  public let url: URL

  /// A way to join.
  public init(title: String?, url: URL) {
    self.title = title
    self.url = url
  }
}

/// A kind of room.
open class EKVirtualConferenceRoomTypeDescriptor: NSObject {
  /// Its name for the user.
  public let title: String
  /// Its name for the app.
  public let identifier: EKVirtualConferenceRoomTypeIdentifier

  /// A kind of room.
  public init(title: String, identifier: EKVirtualConferenceRoomTypeIdentifier) {
    self.title = title
    self.identifier = identifier
  }
}
