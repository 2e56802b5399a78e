public import FencepostGeodesy
public import FencepostSpatiotemporal

/// The fences that devices are compared with, found by place and by number.
///
/// A value: a copy costs nothing until one of the two changes, and then copies all fences; so threads can
/// share one. Insert, move and remove take about a microsecond each. A fence takes 120 to 140 bytes.
public struct FenceIndex: Sendable {
  /// Owns the fences at a stable address.
  ///
  /// Unchecked: only ``FenceIndex`` changes them, and only while one value refers to the box.
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

  /// An index of `fences`. If several have the same number, the last wins.
  public init(_ fences: some Sequence<Fence> = []) { box = Box(FenceCollection(fences)) }

  /// The fences; valid until the index changes or goes away.
  var fences: UnsafePointer<FenceCollection> { UnsafePointer(box.fences) }

  private mutating func change<Result>(_ body: (inout FenceCollection) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&box) { box = Box(FenceCollection(copying: box.fences.pointee)) }
    return body(&box.fences.pointee)
  }

  /// How many fences there are.
  public var count: Int { fences.pointee.count }

  /// The highest revision of the fences that are or were here, or the one that it was raised to.
  public var revision: Int64 { fences.pointee.revision }

  /// Treats fences up to `revision` as present: one inserted later with a revision up to this is not new. For
  /// callers that load fences as devices come near them.
  public mutating func raiseRevision(to revision: Int64) { change { $0.raiseRevision(to: revision) } }

  /// The fence of a number.
  public subscript(id: FenceID) -> Fence? { fences.pointee[id] }

  /// Adds a fence, or moves the one with the same number.
  public mutating func insert(_ fence: Fence) { change { $0.insert(fence) } }

  /// Removes a fence and returns it; `nil` if there was none.
  @discardableResult
  public mutating func remove(_ id: FenceID) -> Fence? { change { $0.remove(id) } }

  /// The numbers of the fences that contain `coordinate`, in ascending order.
  public func fences(containing coordinate: Coordinate) -> [FenceID] {
    fences.pointee.fences(containing: coordinate)
  }

  /// The numbers of the fences with the same circle as `region`, in ascending order; empty for polygons.
  public func fences(alike region: Region) -> [FenceID] {
    guard case .circle(let center, _) = region else { return [] }
    return fences(containing: center).filter { self[$0]?.region == region }
  }

  /// True if the fence contains `coordinate`; `nil` if there is no such fence.
  public func contains(_ id: FenceID, _ coordinate: Coordinate) -> Bool? {
    fences.pointee.contains(id, coordinate)
  }

  /// The distance in metres from the fence to `coordinate`, negative inside; `nil` if there is no such fence.
  func depth(of id: FenceID, at coordinate: Coordinate) -> Double? {
    fences.pointee.slot(of: id, guess: -1).flatMap { fences.pointee.shape($0)?.depth(Point(coordinate)) }
  }
}
