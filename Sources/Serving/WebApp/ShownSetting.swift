/// A setting for display.
public struct ShownSetting: Hashable, Sendable {
  /// Its key.
  public var name: String
  /// Its value, without secrets.
  public var value: String
  /// Its source, in words.
  public var origin: String
  /// Whether it has no value of its own, but the default.
  public var isUsual: Bool
  /// Whether pages may change it: it is one of those for them, and no option or variable overrides it.
  public var isChangeable: Bool
  /// Whether it is a member of a list in the settings file, which pages may remove.
  public var isRemovable: Bool

  /// A setting.
  public init(
    name: String, value: String, origin: String, isUsual: Bool = false, isChangeable: Bool = false,
    isRemovable: Bool = false
  ) {
    self.name = name
    self.value = value
    self.origin = origin
    self.isUsual = isUsual
    self.isChangeable = isChangeable
    self.isRemovable = isRemovable
  }

  /// The values of `streets` that name no file.
  static let streetsWords = ["none", "openstreetmap.org"]
}

/// A change of a setting.
public struct SettingChange: Hashable, Sendable {
  /// What becomes of it.
  public enum Value: Hashable, Sendable {
    /// It gets this value, or these for a list.
    case texts([String])
    /// It gets its default.
    case usual
    /// Its list gets one more.
    case added(String)
    /// Its list loses one, by what is shown of it.
    case removed(String)
  }

  /// The setting's key.
  public var name: String
  /// What becomes of it.
  public var value: Value

  /// A change.
  public init(name: String, value: Value) {
    self.name = name
    self.value = value
  }
}

/// The daemon is busy: it will read its settings, or refuse them, after its other work.
public struct SettingsNotYetRead: Error, CustomStringConvertible {
  /// A sentence for people.
  public let description = "the daemon is busy and will read its settings when it is done"

  /// The error.
  public init() {}
}
