/// A setting for display.
public struct ShownSetting: Hashable, Sendable {
  /// Its key.
  public var name: String
  /// Its value, without secrets.
  public var value: String
  /// Its source, in words.
  public var origin: String

  /// A setting.
  public init(name: String, value: String, origin: String) {
    self.name = name
    self.value = value
    self.origin = origin
  }
}
