public import Geodesy

/// The fences that devices are held against, findable by place and by number.
///
/// A value: a copy costs nothing until one of the two is changed, and then takes all fences along; so threads can
/// share one. Fences come, move and go at a microsecond or so each, at any time. A fence takes 120 to 140
/// bytes, wherever it is.
public struct FenceIndex: Sendable {
  /// Holds the fences where a pointer to them is good for as long as the box is.
  ///
  /// Unchecked: they are changed by ``FenceIndex`` alone, and only while one value refers to the box.
  private final class Box: @unchecked Sendable {
    let fences: UnsafeMutablePointer<FenceCollection>

    init(_ fences: consuming FenceCollection) {
      self.fences = .allocate(capacity: 1)
      self.fences.initialize(to: fences)
    }

    deinit {
      fences.deinitialize(count: 1)
      fences.deallocate()
    }
  }

  private var box: Box

  /// An index of `fences`. Of several with one number, the last counts.
  public init(_ fences: some Sequence<Fence> = []) { box = Box(FenceCollection(fences)) }

  /// The fences, good for as long as the index is and is not changed.
  var fences: UnsafePointer<FenceCollection> { UnsafePointer(box.fences) }

  private mutating func change<Result>(_ body: (inout FenceCollection) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&box) { box = Box(FenceCollection(copying: box.fences.pointee)) }
    return body(&box.fences.pointee)
  }

  /// How many fences there are.
  public var count: Int { fences.pointee.count }

  /// The highest revision of the fences that are or were in it, or that it was raised to.
  public var revision: Int64 { fences.pointee.revision }

  /// Counts fences up to `revision` as having been here: one that is inserted later, with a revision no higher, is
  /// none that was made later. For whoever loads fences as devices come near them.
  public mutating func raiseRevision(to revision: Int64) { change { $0.raiseRevision(to: revision) } }

  /// The fence of a number.
  public subscript(id: FenceID) -> Fence? { fences.pointee[id] }

  /// Adds a fence, or moves the one of its number to where it is now.
  public mutating func insert(_ fence: Fence) { change { $0.insert(fence) } }

  /// Removes a fence and returns it; `nil` where there was none.
  @discardableResult
  public mutating func remove(_ id: FenceID) -> Fence? { change { $0.remove(id) } }

  /// The numbers of the fences that contain `coordinate`, in ascending order.
  public func fences(containing coordinate: Coordinate) -> [FenceID] {
    fences.pointee.fences(containing: coordinate)
  }

  /// True where the fence of a number contains `coordinate`; `nil` where there is no such fence.
  public func contains(_ id: FenceID, _ coordinate: Coordinate) -> Bool? {
    fences.pointee.contains(id, coordinate)
  }

  /// How many metres `coordinate` is outside of the fence of a number, negative inside; `nil` where there is no such fence.
  func depth(of id: FenceID, at coordinate: Coordinate) -> Double? {
    fences.pointee.slot(of: id, guess: -1).flatMap { fences.pointee.shape($0)?.depth(Point(coordinate)) }
  }
}
