import CFencepostNATS
import Glibc

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
  static let shared = Result { () throws(NATSFailure) in try NATSLibrary() }

  /// The names of the library: what Debian 12 has, and later versions with the same functions.
  private static let names = ["libnats.so.3.4", "libnats.so"] + (5...15).map { "libnats.so.3.\($0)" }

  private init() throws(NATSFailure) {
    guard let handle = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      throw NATSFailure("fleets need the library libnats; install it: apt-get install libnats3.4")
    }
    func find<Function>(_ name: String) throws(NATSFailure) -> Function {
      guard let symbol = dlsym(handle, name) else {
        throw NATSFailure("libnats has no function \(name); install version 3.4 or later")
      }
      return unsafeBitCast(symbol, to: Function.self)
    }
    statusText = try find("natsStatus_GetText")
    lastError = try find("nats_GetLastError")
    createOptions = try find("natsOptions_Create")
    destroyOptions = try find("natsOptions_Destroy")
    setServers = try find("natsOptions_SetServers")
    setName = try find("natsOptions_SetName")
    setTimeout = try find("natsOptions_SetTimeout")
    setPingInterval = try find("natsOptions_SetPingInterval")
    allowReconnect = try find("natsOptions_SetAllowReconnect")
    setSecure = try find("natsOptions_SetSecure")
    loadAuthorities = try find("natsOptions_LoadCATrustedCertificates")
    setCredentials = try find("natsOptions_SetUserCredentialsFromFiles")
    connect = try find("natsConnection_Connect")
    destroyConnection = try find("natsConnection_Destroy")
    flush = try find("natsConnection_FlushTimeout")
    publish = try find("natsConnection_PublishMsg")
    request = try find("natsConnection_RequestMsg")
    subscribe = try find("natsConnection_SubscribeSync")
    setPendingLimits = try find("natsSubscription_SetPendingLimits")
    destroySubscription = try find("natsSubscription_Destroy")
    next = try find("natsSubscription_NextMsg")
    createMessage = try find("natsMsg_Create")
    destroyMessage = try find("natsMsg_Destroy")
    subject = try find("natsMsg_GetSubject")
    reply = try find("natsMsg_GetReply")
    data = try find("natsMsg_GetData")
    dataLength = try find("natsMsg_GetDataLength")
    setHeader = try find("natsMsgHeader_Set")
    header = try find("natsMsgHeader_Get")
  }
}

/// A NATS server refused something, or can't be reached. Its description is one line.
package struct NATSFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  /// A failure in words.
  package init(_ description: String) { self.description = description }
}
