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

extension StoreReader {
  /// What an app may do.
  func authorization(of app: String, for entity: EKEntityType) throws -> EKAuthorizationStatus {
    let level = try accessLevel(of: app, entity: Int(entity.rawValue))
    return EKAuthorizationStatus(rawValue: level.rawValue) ?? .restricted
  }
}
