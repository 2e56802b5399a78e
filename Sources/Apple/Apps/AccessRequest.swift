package import FencepostCalendarModel
package import FencepostCalendarStore

/// An app's request for access to a kind of data of the store.
package struct AccessRequest: Hashable, Sendable {
  /// What it is for.
  package let subject: AccessSubject
  /// The access if the user grants it.
  package let level: AccessLevel
  /// The Info.plist keys that explain it; any of them is enough.
  package let usageKeys: [String]

  /// A request.
  package init(for subject: AccessSubject, _ level: AccessLevel, usageKeys: [String]) {
    self.subject = subject
    self.level = level
    self.usageKeys = usageKeys
  }

  /// True if an earlier decision answers the request. An app with less access than it asks for may ask for
  /// more.
  package func isAnswered(by level: AccessLevel) -> Bool {
    switch level {
    case .notDetermined: false
    case .writeOnly: self.level == .writeOnly
    case .restricted, .denied, .full: true
    }
  }

  /// True if `level` includes the requested access.
  package func isGranted(by level: AccessLevel) -> Bool { level == .full || level == self.level }
}

extension StoreWriter {
  /// Decides a request by earlier decisions and the store's policy, and records the decision.
  ///
  /// - Returns: Whether the request is granted; `nil` if it must wait for the store's owner.
  package func decide(_ request: AccessRequest, of app: AppIdentity, now: Instant) throws -> Bool? {
    let level = try reader.accessLevel(of: app.name, entity: request.subject.rawValue)
    if request.isAnswered(by: level) { return request.isGranted(by: level) }
    func record(_ level: AccessLevel) throws {
      try save(
        AccessDecision(
          app: app.name, entity: request.subject.rawValue, status: level.rawValue, decided: now))
    }
    switch try reader.accessPolicy() {
    case .open:
      try record(request.level)
      return true
    case .closed:
      return false
    case .ask:
      guard !app.keys.isDisjoint(with: request.usageKeys) else {
        // As on Apple's systems, a request without an explanation is denied.
        if level == .notDetermined { try record(.denied) }
        return false
      }
      // The owner must see the waiting request.
      if try reader.accessDecision(app: app.name, entity: request.subject.rawValue) == nil {
        try record(.notDetermined)
      }
      return nil
    }
  }
}
