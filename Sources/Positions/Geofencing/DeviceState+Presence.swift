extension DeviceState {
  /// Where a device is believed to be.
  public struct Presence: Hashable, Sendable {
    /// The fences that it is certainly in.
    public var inside: Set<FenceID>
    /// The fences that the policy has not decided about. True: still believed to be inside.
    public var doubted: [FenceID: Bool]

    /// A presence with these fences.
    public init(inside: Set<FenceID> = [], doubted: [FenceID: Bool] = [:]) {
      self.inside = inside
      self.doubted = doubted
    }
  }

  /// The fences that the device is believed to be in.
  ///
  /// For fences without doubt, the last admitted fix decides.
  ///
  /// - Parameter index: must include the fences that contain the last position.
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
