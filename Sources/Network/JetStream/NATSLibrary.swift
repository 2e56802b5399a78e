import CFencepostNATS
import FencepostSystem

/// The functions of libnats, loaded at the first use.
///
/// The program is not linked with libnats: only fleets need it, and everybody would have to install it.
struct NATSLibrary: Sendable {
  typealias Text = UnsafePointer<CChar>
  typealias Out = UnsafeMutablePointer<OpaquePointer?>

  let statusText: @convention(c) @Sendable (natsStatus) -> Text?
  let lastError: @convention(c) @Sendable (UnsafeMutablePointer<natsStatus>?) -> Text?
  let createOptions: @convention(c) @Sendable (Out) -> natsStatus
  let destroyOptions: @convention(c) @Sendable (OpaquePointer?) -> Void
  let setServers: @convention(c) @Sendable (OpaquePointer?, UnsafeMutablePointer<Text?>?, Int32) -> natsStatus
  let setName: @convention(c) @Sendable (OpaquePointer?, Text) -> natsStatus
  let setTimeout: @convention(c) @Sendable (OpaquePointer?, Int64) -> natsStatus
  let setPingInterval: @convention(c) @Sendable (OpaquePointer?, Int64) -> natsStatus
  let allowReconnect: @convention(c) @Sendable (OpaquePointer?, Bool) -> natsStatus
  let setSecure: @convention(c) @Sendable (OpaquePointer?, Bool) -> natsStatus
  let loadAuthorities: @convention(c) @Sendable (OpaquePointer?, Text) -> natsStatus
  let setCredentials: @convention(c) @Sendable (OpaquePointer?, Text, Text?) -> natsStatus
  let connect: @convention(c) @Sendable (Out, OpaquePointer?) -> natsStatus
  let destroyConnection: @convention(c) @Sendable (OpaquePointer?) -> Void
  let flush: @convention(c) @Sendable (OpaquePointer?, Int64) -> natsStatus
  let publish: @convention(c) @Sendable (OpaquePointer?, OpaquePointer?) -> natsStatus
  let request: @convention(c) @Sendable (Out, OpaquePointer?, OpaquePointer?, Int64) -> natsStatus
  let subscribe: @convention(c) @Sendable (Out, OpaquePointer?, Text) -> natsStatus
  let setPendingLimits: @convention(c) @Sendable (OpaquePointer?, Int32, Int32) -> natsStatus
  let destroySubscription: @convention(c) @Sendable (OpaquePointer?) -> Void
  let next: @convention(c) @Sendable (Out, OpaquePointer?, Int64) -> natsStatus
  let createMessage: @convention(c) @Sendable (Out, Text, Text?, UnsafeRawPointer?, Int32) -> natsStatus
  let destroyMessage: @convention(c) @Sendable (OpaquePointer?) -> Void
  let subject: @convention(c) @Sendable (OpaquePointer?) -> Text?
  let reply: @convention(c) @Sendable (OpaquePointer?) -> Text?
  let data: @convention(c) @Sendable (OpaquePointer?) -> UnsafeRawPointer?
  let dataLength: @convention(c) @Sendable (OpaquePointer?) -> Int32
  let setHeader: @convention(c) @Sendable (OpaquePointer?, Text, Text) -> natsStatus
  let header: @convention(c) @Sendable (OpaquePointer?, Text, UnsafeMutablePointer<Text?>) -> natsStatus

  /// The library, or why it can't be used.
  static let shared = Result { () throws(DynamicLibrary.Failure) in try NATSLibrary() }
    .mapError { NATSFailure($0.description) }

  /// What Debian 12 has, and later versions with the same functions.
  private static let files = ["libnats.so.3.4", "libnats.so"] + (5...15).map { "libnats.so.3.\($0)" }

  private init() throws(DynamicLibrary.Failure) {
    let library = try DynamicLibrary("libnats", files: Self.files, for: "fleets", package: "libnats3.4")
    statusText = try library.function("natsStatus_GetText")
    lastError = try library.function("nats_GetLastError")
    createOptions = try library.function("natsOptions_Create")
    destroyOptions = try library.function("natsOptions_Destroy")
    setServers = try library.function("natsOptions_SetServers")
    setName = try library.function("natsOptions_SetName")
    setTimeout = try library.function("natsOptions_SetTimeout")
    setPingInterval = try library.function("natsOptions_SetPingInterval")
    allowReconnect = try library.function("natsOptions_SetAllowReconnect")
    setSecure = try library.function("natsOptions_SetSecure")
    loadAuthorities = try library.function("natsOptions_LoadCATrustedCertificates")
    setCredentials = try library.function("natsOptions_SetUserCredentialsFromFiles")
    connect = try library.function("natsConnection_Connect")
    destroyConnection = try library.function("natsConnection_Destroy")
    flush = try library.function("natsConnection_FlushTimeout")
    publish = try library.function("natsConnection_PublishMsg")
    request = try library.function("natsConnection_RequestMsg")
    subscribe = try library.function("natsConnection_SubscribeSync")
    setPendingLimits = try library.function("natsSubscription_SetPendingLimits")
    destroySubscription = try library.function("natsSubscription_Destroy")
    next = try library.function("natsSubscription_NextMsg")
    createMessage = try library.function("natsMsg_Create")
    destroyMessage = try library.function("natsMsg_Destroy")
    subject = try library.function("natsMsg_GetSubject")
    reply = try library.function("natsMsg_GetReply")
    data = try library.function("natsMsg_GetData")
    dataLength = try library.function("natsMsg_GetDataLength")
    setHeader = try library.function("natsMsgHeader_Set")
    header = try library.function("natsMsgHeader_Get")
  }
}

/// A NATS server refused something, or can't be reached. Its description is one line.
package struct NATSFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  /// A failure in words.
  package init(_ description: String) { self.description = description }
}
