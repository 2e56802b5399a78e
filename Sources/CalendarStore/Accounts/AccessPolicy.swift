/// What becomes of an app's first request for access.
public enum AccessPolicy: String, Sendable, CaseIterable {
  /// It is granted, and recorded: a developer's first program works.
  case open
  /// It waits until the store's owner answers it. An app that does not say why it asks is refused.
  case ask
  /// It is refused.
  case closed

  /// The name of the setting.
  static let setting = "access-policy"
}

/// What an app may do with events, or with reminders. Raw values are those of EventKit's
/// `EKAuthorizationStatus`, which ``AccessDecision/status`` holds.
public enum AccessLevel: Int, Sendable, CaseIterable {
  /// It asked, and nobody answered; or it never asked.
  case notDetermined = 0
  /// Nothing, by the store's policy.
  case restricted
  /// Nothing, for the owner said no.
  case denied
  /// Everything.
  case full
  /// Add events, and read none.
  case writeOnly
}

extension StoreReader {
  /// The policy; ``AccessPolicy/open`` where none was set.
  public func accessPolicy() throws(StoreError) -> AccessPolicy {
    guard let text = try setting(AccessPolicy.setting) else { return .open }
    // What a later version may know is safest not let in.
    return AccessPolicy(rawValue: text) ?? .closed
  }

  /// What an app may do: what was decided, else what the policy makes of it.
  ///
  /// - Parameters:
  ///   - app: The app's identifier.
  ///   - entity: The raw value of `EKEntityType`.
  public func accessLevel(of app: String, entity: Int) throws(StoreError) -> AccessLevel {
    if let decision = try accessDecision(app: app, entity: entity),
      let level = AccessLevel(rawValue: decision.status), level != .notDetermined
    {
      return level
    }
    return try accessPolicy() == .closed ? .restricted : .notDetermined
  }
}

extension StoreWriter {
  /// Sets the policy for requests to come; what was decided stays.
  public func set(_ policy: AccessPolicy) throws(StoreError) {
    try set(policy.rawValue, for: AccessPolicy.setting)
  }
}
