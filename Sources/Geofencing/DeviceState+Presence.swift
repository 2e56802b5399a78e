extension DeviceState {
  /// What is believed of where a device is.
  public struct Presence: Hashable, Sendable {
    /// The fences that it is in, without a doubt.
    public var inside: Set<FenceID>
    /// The fences that the policy has not made up its mind about, and whether it is still taken to be inside.
    public var doubted: [FenceID: Bool]

    /// In these fences, in doubt about those.
    public init(inside: Set<FenceID> = [], doubted: [FenceID: Bool] = [:]) {
      self.inside = inside
      self.doubted = doubted
    }
  }

  /// In which fences the device is believed to be.
  ///
  /// - Parameter index: The fences that contain its last position, at least.
  ///
  /// Where nothing speaks against it, what is believed is what the last fix that was admitted says.
  public func presence(among index: FenceIndex) -> Presence {
    var presence = Presence()
    if let lastFix { presence.inside = Set(index.fences(containing: lastFix.coordinate)) }
    for doubt in doubts {
      presence.inside.remove(doubt.fence)
      presence.doubted[doubt.fence] = doubt.believesInside
    }
    return presence
  }
}
