public import FencepostCalendarModel

/// The steps to synchronize one collection, from the last agreement, the changes here and the changes there.
/// Pure.
///
/// A change on one side goes to the other. If both sides changed, the object is first read and then merged
/// (``ObjectMerge``). A change wins over a removal.
public struct SyncPlan: Hashable, Sendable {
  /// Objects to read: new or changed there. They are merged with changes here.
  public private(set) var reads: [String] = []
  /// Objects to compare with what was sent: sent, and not seen there yet.
  public private(set) var checks: [AgreedObject] = []
  /// Objects to remove here: gone there, unchanged here.
  public private(set) var removals: [AgreedObject] = []
  /// Objects to create there again: gone there and changed here, or sent and never seen there.
  public private(set) var revivals: [AgreedObject] = []
  /// Objects to forget: gone on both sides.
  public private(set) var forgotten: [AgreedObject] = []
  /// UIDs of new items here, to create there.
  public private(set) var creations: [String] = []
  /// Objects to change there: changed here only.
  public private(set) var updates: [AgreedObject] = []
  /// Objects to delete there: removed here only.
  public private(set) var deletions: [AgreedObject] = []
  /// The number of objects that both sides had.
  public private(set) var count = 0

  /// Changes to items here.
  public struct LocalChanges: Hashable, Sendable {
    /// UIDs of changed items.
    public var changed: Set<ExactText>
    /// UIDs of removed items.
    public var removed: Set<ExactText>
    /// UIDs of new items.
    public var added: Set<ExactText>

    /// Changes.
    public init(
      changed: Set<ExactText> = [], removed: Set<ExactText> = [], added: Set<ExactText> = []
    ) {
      self.changed = changed
      self.removed = removed
      self.added = added
    }
  }

  /// A plan.
  ///
  /// - Parameters:
  ///   - agreed: All objects of the last agreement.
  ///   - local: What changed here since then.
  ///   - remote: What the other side has now.
  public init(agreed: [AgreedObject], local: LocalChanges, remote: Listing) {
    count = agreed.count
    let known = Set(agreed.map(\.name))
    reads = remote.tags.keys.filter { !known.contains($0) }
    func isGone(_ object: AgreedObject) -> Bool {
      remote.tags[object.name] == nil && (remote.isComplete || remote.gone.contains(object.name))
    }
    let present = Set(agreed.filter { $0.state != .duplicate && !isGone($0) }.map { ExactText($0.uid) })
    for object in agreed {
      let uid = ExactText(object.uid)
      let isRemovedHere = local.removed.contains(uid)
      let isChangedHere = local.changed.contains(uid)
      if isGone(object) {
        if isRemovedHere || object.uid.isEmpty || object.state == .duplicate {
          forgotten.append(object)
        } else if isChangedHere || object.state == .sent {
          revivals.append(object)
        } else {
          removals.append(object)
        }
        continue
      }
      let isChangedThere = remote.tags[object.name].map { object.tag != $0 } ?? (object.tag == nil)
      switch object.state {
      case .unread: reads.append(object.name)
      case .sent: if isRemovedHere { deletions.append(object) } else { checks.append(object) }
      case _ where isChangedThere: reads.append(object.name)
      case .agreed:
        if isRemovedHere { deletions.append(object) } else if isChangedHere { updates.append(object) }
      case .unusable: break
      // It can be taken now.
      case .duplicate: if !present.contains(uid) { reads.append(object.name) }
      }
    }
    reads.sort()
    creations = local.added.sorted().map(\.text)
  }

  /// True if there is nothing to do.
  public var isEmpty: Bool {
    reads.isEmpty && checks.isEmpty && removals.isEmpty && revivals.isEmpty && forgotten.isEmpty
      && creations.isEmpty
      && updates.isEmpty && deletions.isEmpty
  }

  /// The names of the objects that are gone there.
  public var gone: Set<String> { Set((removals + revivals + forgotten).map(\.name)) }

  /// Adds objects to delete there.
  public mutating func delete(_ objects: [AgreedObject]) { deletions += objects }

  // MARK: Large removals

  /// Fewer removals than this need no confirmation.
  public static let fewRemovals = 10

  /// True if the plan would remove so much of the list here that it needs confirmation: more than half of it,
  /// and at least 10. A server that was restored, or that answered in part, looks as if all objects were
  /// deleted.
  public var removesMuchHere: Bool { isMuch(removals.count) }

  /// The same for deletions there.
  public var deletesMuchThere: Bool { isMuch(deletions.count) }

  private func isMuch(_ removed: Int) -> Bool { removed >= Self.fewRemovals && 2 * removed > count }

  /// The plan without removals here and deletions there that need a question.
  public var withoutLargeRemovals: SyncPlan { withoutLargeRemovals { _ in false } }

  /// The plan without removals here and deletions there that need a question.
  ///
  /// - Parameter isMoved: True for an object that is in another calendar now, which needs no question.
  public func withoutLargeRemovals(except isMoved: (AgreedObject) throws -> Bool) rethrows -> SyncPlan {
    var plan = self
    let (movedHere, movedThere) = (try removals.filter(isMoved), try deletions.filter(isMoved))
    if isMuch(removals.count - movedHere.count) { plan.removals = movedHere }
    if isMuch(deletions.count - movedThere.count) { plan.deletions = movedThere }
    return plan
  }
}

/// What is known of an object since the last synchronization.
public struct AgreedObject: Hashable, Sendable {
  /// Its name in the other side's collection: the path of a resource, or the name of a file.
  public var name: String
  /// The UID of its items.
  public var uid: String
  /// How both sides belong together.
  public var state: SyncState
  /// The tag of the version that ``state`` is about; `nil` if the other side gave none. Then it must be read
  /// again.
  public var tag: String?

  /// An object.
  public init(name: String, uid: String, state: SyncState = .agreed, tag: String?) {
    self.name = name
    self.uid = uid
    self.state = state
    self.tag = tag
  }
}
