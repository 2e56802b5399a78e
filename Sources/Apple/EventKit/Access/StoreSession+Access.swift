import FencepostCalendarModel
import FencepostCalendarStore
import Foundation

/// A request that waits for an answer of the store's owner.
struct WaitingRequest {
  let request: AccessRequest
  /// Keeps the session alive until the answer, even if the app releases its `EKEventStore`.
  let session: StoreSession
  let completion: @Sendable (Bool, (any Error)?) -> Void
}

extension StoreSession {
  /// The app's permission now. Not determined if there is no store.
  func status(for entity: EKEntityType) -> EKAuthorizationStatus {
    guard let store = storeIfAny() else { return .notDetermined }
    return (try? store.read { try $0.authorization(of: app.name, for: entity) }) ?? .restricted
  }

  /// True if the app has full access to a kind of items.
  func hasFullAccess(to entity: EKEntityType) -> Bool { status(for: entity) == .fullAccess }

  /// Requests access. Calls `completion` on a background queue after the answer. Under the policy `ask` there
  /// may never be one.
  func request(_ request: AccessRequest, completion: @escaping @Sendable (Bool, (any Error)?) -> Void) {
    DispatchQueue.global().async { [self] in
      do {
        guard let isGranted = try decide(request) else {
          lock.withLock {
            waitingRequests.append(WaitingRequest(request: request, session: self, completion: completion))
          }
          // The answer may have come before the request was queued.
          return answerWaitingRequests()
        }
        completion(isGranted, nil)
      } catch {
        completion(false, EKError.make(error))
      }
    }
  }

  /// Decides a request by the store's policy and records the decision; `nil` if it must wait.
  private func decide(_ request: AccessRequest) throws -> Bool? {
    let open = try openStore()
    let (app, now) = (app, now)
    let answer = try open.store.write { try $0.decide(request, of: app, now: now) }
    open.checkForChanges()
    return answer
  }

  /// Calls back the requests with an answer.
  func answerWaitingRequests() {
    let waiting = lock.withLock { waitingRequests }
    guard !waiting.isEmpty else { return }
    let statuses = [EKEntityType.event: status(for: .event), .reminder: status(for: .reminder)]
    func isAnswered(_ waiting: WaitingRequest) -> Bool {
      statuses[waiting.request.entity].map(waiting.request.isAnswered) ?? false
    }
    let answered = lock.withLock {
      let answered = waitingRequests.filter(isAnswered)
      waitingRequests.removeAll(where: isAnswered)
      return answered
    }
    for waiting in answered {
      let isGranted = statuses[waiting.request.entity].map(waiting.request.isGranted) ?? false
      DispatchQueue.global().async { waiting.completion(isGranted, nil) }
    }
  }
}

extension StoreWriter {
  /// Decides a request by the policy; `nil` if it must wait.
  fileprivate func decide(_ request: AccessRequest, of app: AppIdentity, now: Instant) throws -> Bool? {
    let status = try reader.authorization(of: app.name, for: request.entity)
    if request.isAnswered(by: status) {
      if status == .fullAccess { try prepareDefaults(for: request.entity) }
      return request.isGranted(by: status)
    }
    switch try reader.accessPolicy() {
    case .open:
      try record(request.granted, for: request, of: app, now: now)
      try prepareDefaults(for: request.entity)
      return true
    case .closed:
      return false
    case .ask:
      guard !app.keys.isDisjoint(with: request.usageKeys) else {
        // As on Apple's systems, a request without an explanation is denied.
        if status == .notDetermined { try record(.denied, for: request, of: app, now: now) }
        return false
      }
      // The owner must see the waiting request.
      let entity = Int(request.entity.rawValue)
      if try reader.accessDecision(app: app.name, entity: entity) == nil {
        try record(.notDetermined, for: request, of: app, now: now)
      }
      return nil
    }
  }

  private func record(
    _ status: EKAuthorizationStatus, for request: AccessRequest, of app: AppIdentity, now: Instant
  ) throws {
    try save(
      AccessDecision(
        app: app.name, entity: Int(request.entity.rawValue), status: status.rawValue, decided: now))
  }

  /// Creates the default calendar or list for new items, so that an app with access finds one.
  private func prepareDefaults(for entity: EKEntityType) throws {
    _ = try defaultCalendar(for: entity == .event ? .events : .reminders)
  }
}

/// The kind of access that an app requests.
enum AccessRequest: Sendable {
  case fullEvents, writeOnlyEvents, fullReminders

  /// The entity type of the request.
  var entity: EKEntityType { self == .fullReminders ? .reminder : .event }

  /// The status if the user grants the request.
  var granted: EKAuthorizationStatus { self == .writeOnlyEvents ? .writeOnly : .fullAccess }

  /// The Info.plist keys that explain the request. The key for full access also covers write-only access.
  var usageKeys: [String] {
    switch self {
    case .fullEvents: ["NSCalendarsFullAccessUsageDescription"]
    case .writeOnlyEvents:
      ["NSCalendarsWriteOnlyAccessUsageDescription", "NSCalendarsFullAccessUsageDescription"]
    case .fullReminders: ["NSRemindersFullAccessUsageDescription"]
    }
  }

  /// True if an earlier decision answers the request.
  func isAnswered(by status: EKAuthorizationStatus) -> Bool {
    switch status {
    case .notDetermined: false
    // An app with write-only access can request full access.
    case .writeOnly: self == .writeOnlyEvents
    case .restricted, .denied, .fullAccess: true
    // Only the store makes these values.
    @unknown default: true
    }
  }

  /// True if `status` includes the requested access.
  func isGranted(by status: EKAuthorizationStatus) -> Bool {
    status == .fullAccess || (self == .writeOnlyEvents && status == .writeOnly)
  }
}

extension StoreReader {
  /// The app's permission.
  func authorization(of app: String, for entity: EKEntityType) throws -> EKAuthorizationStatus {
    let level = try accessLevel(of: app, entity: Int(entity.rawValue))
    return EKAuthorizationStatus(rawValue: level.rawValue) ?? .restricted
  }
}

/// The app's name in the store, and its Info.plist keys.
package struct AppIdentity: Sendable {
  /// The bundle identifier of the app's Info.plist; without one, the name of the process.
  package let name: String
  /// What people call it.
  package let title: String
  /// The keys of its Info.plist.
  let keys: Set<String>

  package init(name: String, title: String? = nil, keys: Set<String> = []) {
    self.name = name
    self.title = title ?? name
    self.keys = keys
  }

  /// The running app.
  package static let current = AppIdentity(
    name: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
    title: ["CFBundleDisplayName", "CFBundleName"].lazy.compactMap {
      Bundle.main.infoDictionary?[$0] as? String
    }.first,
    keys: Set(Bundle.main.infoDictionary?.keys.map { $0 } ?? []))
}
