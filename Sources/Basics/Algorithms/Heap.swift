/// A priority queue that returns its least element first: a binary min-heap (J. W. J. Williams,
/// Communications of the ACM 7(6), 1964).
///
/// Equal elements come in any order. If the order matters, let `<` distinguish them.
public struct Heap<Element: Comparable> {
  /// The parent of the element at `index` is at `(index - 1) / 2`. It is never greater.
  @usableFromInline var elements: [Element] = []

  /// An empty heap.
  @inlinable
  public init() {}

  /// A heap of `elements`.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    self.elements = Array(elements)
    restore()
  }

  /// Whether the heap has no elements.
  @inlinable
  public var isEmpty: Bool { elements.isEmpty }

  /// The number of elements.
  @inlinable
  public var count: Int { elements.count }

  /// The least element, or `nil` if the heap is empty.
  @inlinable
  public var first: Element? { elements.first }

  /// Adds an element.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
    checkInvariants()
  }

  /// Removes the least element and returns it, or `nil` if the heap is empty.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func popFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return last }
    let first = elements[0]
    elements[0] = last
    sink(from: 0)
    checkInvariants()
    return first
  }

  /// Changes the least element in place and moves it to its new position. Does nothing if the heap is empty.
  ///
  /// - Complexity: O(log *n*); one step if the element stays the least.
  @inlinable
  public mutating func updateFirst(_ change: (inout Element) -> Void) {
    guard !elements.isEmpty else { return }
    change(&elements[0])
    sink(from: 0)
    checkInvariants()
  }

  /// Removes the elements for which `isUnwanted` is true.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    let count = elements.count
    elements.removeAll(where: isUnwanted)
    if elements.count != count { restore() }
  }

  /// Removes all elements but keeps the memory.
  @inlinable
  public mutating func removeAll() { elements.removeAll(keepingCapacity: true) }

  /// Moves the element at `start` down until no child is less.
  @inlinable
  mutating func sink(from start: Int) {
    var parent = start
    while true {
      var least = parent
      let left = 2 * parent + 1
      if left < elements.count, elements[left] < elements[least] { least = left }
      if left + 1 < elements.count, elements[left + 1] < elements[least] { least = left + 1 }
      if least == parent { return }
      elements.swapAt(parent, least)
      parent = least
    }
  }

  /// Makes a heap of elements in any order (R. W. Floyd, Communications of the ACM 7(12), 1964).
  @inlinable
  mutating func restore() {
    for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
    checkInvariants()
  }

  #if DEBUG
    /// Checks that no element is less than its parent. In large heaps it checks only the first 64 elements;
    /// otherwise tests of large heaps would take quadratic time.
    @inlinable
    func checkInvariants() {
      for child in 1..<max(min(elements.count, 64), 1) {
        precondition(!(elements[child] < elements[(child - 1) / 2]), "The heap is out of order.")
      }
    }
  #else
    @inlinable
    func checkInvariants() {}
  #endif
}

extension Heap: Sendable where Element: Sendable {}
