/// A way to take part in an event from elsewhere (`EKVirtualConferenceDescriptor`; CONFERENCE of RFC 7986, section 5.11).
public struct Conference: Hashable, Sendable {
  /// Its address: a page that joins, or a number to call (`tel:`).
  public var address: String
  /// What people call it; LABEL.
  public var label: String?
  /// What it can do, in capital letters: `AUDIO`, `VIDEO`, `PHONE`, `CHAT` and so on; FEATURE.
  public var features: [String]

  /// A conference.
  public init(address: String, label: String? = nil, features: [String] = []) {
    self.address = address
    self.label = label
    self.features = features
  }
}
