/// A setting as pages show it.
public struct ShownSetting: Hashable, Sendable {
  /// Its key.
  public var name: String
  /// Its value, without secrets.
  public var value: String
  /// Where it comes from, in words.
  public var origin: String

  /// A setting.
  public init(name: String, value: String, origin: String) {
    self.name = name
    self.value = value
    self.origin = origin
  }
}
