import CalendarModel
import CalendarStore
import Foundation

/// What an app asks for.
enum AccessRequest: Sendable {
  case fullEvents, writeOnlyEvents, fullReminders

  /// To what.
  var entity: EKEntityType { self == .fullReminders ? .reminder : .event }

  /// What a yes gives.
  var granted: EKAuthorizationStatus { self == .writeOnlyEvents ? .writeOnly : .fullAccess }

  /// The key of Info.plist under which an app says why it asks. One that asks for all may also write.
  var usageKeys: [String] {
    switch self {
    case .fullEvents: ["NSCalendarsFullAccessUsageDescription"]
    case .writeOnlyEvents:
      ["NSCalendarsWriteOnlyAccessUsageDescription", "NSCalendarsFullAccessUsageDescription"]
    case .fullReminders: ["NSRemindersFullAccessUsageDescription"]
    }
  }

  /// True where what was decided needs no asking again.
  func isAnswered(by status: EKAuthorizationStatus) -> Bool {
    switch status {
    case .notDetermined: false
    // Write-only access can be raised to full access, which asks once more.
    case .writeOnly: self == .writeOnlyEvents
    case .restricted, .denied, .fullAccess: true
    }
  }

  /// Whether `status` is what was asked for, or more.
  func isGranted(by status: EKAuthorizationStatus) -> Bool {
    status == .fullAccess || (self == .writeOnlyEvents && status == .writeOnly)
  }
}

/// What becomes of a first request: a setting of the store.
enum AccessPolicy: String, Sendable {
  /// It is granted, and recorded.
  case open
  /// It waits until the store's owner answers it.
  case ask
  /// It is refused.
  case closed

  /// The name of the setting.
  static let setting = "access-policy"
}

extension StoreReader {
  /// The policy; ``AccessPolicy/open`` where none was set.
  func accessPolicy() throws -> AccessPolicy {
    try setting(AccessPolicy.setting).flatMap(AccessPolicy.init) ?? .open
  }

  /// What an app may do.
  func authorization(of app: String, for entity: EKEntityType) throws -> EKAuthorizationStatus {
    if let decision = try accessDecision(app: app, entity: Int(entity.rawValue)),
      let status = EKAuthorizationStatus(rawValue: decision.status), status != .notDetermined
    {
      return status
    }
    return try accessPolicy() == .closed ? .restricted : .notDetermined
  }
}
