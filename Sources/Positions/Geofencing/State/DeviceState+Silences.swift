public import FencepostSpatiotemporal

// A state in parts, so that to save it after a fix costs only what the fix changed: with a thousand late
// positions a state has 50 KB, of which a fix changes 200 bytes.

extension DeviceState {
  /// What a state keeps of a silence for late positions, as bytes.
  public struct SavedSilence: Hashable, Sendable {
    /// Identifies it among the silences of a device; later ones have higher numbers.
    public var number: Int64
    /// What was true before it, and what was reported since; `nil` if that has not changed.
    public var state: [UInt8]?
    /// Late positions up to this time are no longer needed. Remove them before ``late`` is added.
    public var settledThrough: Instant?
    /// Positions that came late from this silence, by their times.
    public var late: [Instant: [UInt8]]

    /// A silence.
    public init(
      number: Int64, state: [UInt8]? = nil, settledThrough: Instant? = nil, late: [Instant: [UInt8]] = [:]
    ) {
      self.number = number
      self.state = state
      self.settledThrough = settledThrough
      self.late = late
    }
  }

  /// What has changed of a state since ``markSaved()``.
  public struct Changes: Hashable, Sendable {
    /// The state without its silences, which each fix changes.
    public var state: [UInt8]
    /// True if nothing was saved before: what there is of other silences belongs to no state.
    public var replacesAll: Bool
    /// The silences that are no longer needed.
    public var ended: [Int64]
    /// What has changed of other silences.
    public var silences: [SavedSilence]
  }

  /// What has changed since ``markSaved()``; all, if that was never called.
  public var changes: Changes {
    Changes(
      state: encoded(withSilences: false), replacesAll: !isSaved, ended: isSaved ? endedSilences : [],
      silences: pasts.compactMap { past in
        if isSaved, !past.differs { return nil }
        let late = isSaved ? past.late.filter { past.unsaved.contains($0.time) } : past.late
        return SavedSilence(
          number: past.number, state: isSaved && !past.isChanged ? nil : past.encoded(withLate: false),
          settledThrough: isSaved ? past.settledThrough : nil,
          late: Dictionary(late.map { ($0.time, $0.encodedLate) }) { _, last in last })
      })
  }

  /// Records that ``changes`` were saved.
  public mutating func markSaved() {
    isSaved = true
    endedSilences = []
    for place in pasts.indices where pasts[place].differs { pasts[place].markSaved() }
  }

  /// Decodes a state that was saved in parts, or what ``encoded()`` wrote.
  ///
  /// - Parameters:
  ///   - state: the state without its silences.
  ///   - silences: the silences. Each needs its state.
  public init(
    decoding state: some Collection<UInt8>, silences: [SavedSilence]
  ) throws(DeviceStateDecodingError) {
    try self.init(decoding: state)
    // An older program saved all in one piece.
    guard pasts.isEmpty else { return }
    for silence in silences.sorted(by: { $0.number < $1.number }) {
      var past = try Past(decoding: silence.state ?? [], number: silence.number)
      for (_, bytes) in silence.late.sorted(by: { $0.key < $1.key }) {
        past.late.append(try Fix(decodingLate: bytes))
      }
      pasts.append(past)
    }
    markSaved()
  }
}

extension DeviceState.Past {
  /// True if anything changed since ``markSaved()``.
  fileprivate var differs: Bool { isChanged || !unsaved.isEmpty || settledThrough != nil }

  fileprivate mutating func markSaved() {
    isChanged = false
    unsaved = []
    settledThrough = nil
  }
}
