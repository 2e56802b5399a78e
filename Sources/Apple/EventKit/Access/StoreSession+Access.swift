import FencepostApps
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
    let answer = try open.store.write { writer in
      let answer = try writer.decide(request, of: app, now: now)
      // An app with access finds a calendar or list for new items.
      if answer == true {
        _ = try writer.defaultCalendar(for: request.entity == .event ? .events : .reminders)
      }
      return answer
    }
    open.checkForChanges()
    return answer
  }

  /// Calls back the requests with an answer.
  func answerWaitingRequests() {
    let waiting = lock.withLock { waitingRequests }
    guard !waiting.isEmpty else { return }
    let statuses = [EKEntityType.event: status(for: .event), .reminder: status(for: .reminder)]
    func level(_ request: AccessRequest) -> AccessLevel {
      statuses[request.entity].flatMap { AccessLevel(rawValue: Int($0.rawValue)) } ?? .notDetermined
    }
    func isAnswered(_ waiting: WaitingRequest) -> Bool {
      waiting.request.isAnswered(by: level(waiting.request))
    }
    let answered = lock.withLock {
      let answered = waitingRequests.filter(isAnswered)
      waitingRequests.removeAll(where: isAnswered)
      return answered
    }
    for waiting in answered {
      let isGranted = waiting.request.isGranted(by: level(waiting.request))
      DispatchQueue.global().async { waiting.completion(isGranted, nil) }
    }
  }
}

extension AccessRequest {
  /// A request for all events.
  static let fullEvents = AccessRequest(for: .events, .full, usageKeys: [fullEventsKey])
  /// A request to add events. The key for full access explains it too.
  static let writeOnlyEvents = AccessRequest(
    for: .events, .writeOnly, usageKeys: ["NSCalendarsWriteOnlyAccessUsageDescription", fullEventsKey])
  /// A request for all reminders.
  static let fullReminders = AccessRequest(
    for: .reminders, .full, usageKeys: ["NSRemindersFullAccessUsageDescription"])

  private static let fullEventsKey = "NSCalendarsFullAccessUsageDescription"

  /// The entity type of the request.
  var entity: EKEntityType { subject == .reminders ? .reminder : .event }
}

extension StoreReader {
  /// The app's permission.
  func authorization(of app: String, for entity: EKEntityType) throws -> EKAuthorizationStatus {
    let level = try accessLevel(of: app, entity: Int(entity.rawValue))
    return EKAuthorizationStatus(rawValue: level.rawValue) ?? .restricted
  }
}
