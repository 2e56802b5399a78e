import FencepostCalendarStore
import Foundation

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
