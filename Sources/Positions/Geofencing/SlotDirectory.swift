/// The slots of numbers: a hash table with 4 bytes a place. The slots themselves have the numbers.
struct SlotDirectory: Sendable {
  /// Slots in open addressing, in a power of two of places; ``vacant`` for a free one.
  private var places: [Int32] = []
  private(set) var count = 0

  private static let vacant: Int32 = -1

  /// Makes room for `count` numbers.
  mutating func reserve(_ count: Int, _ number: (Int32) -> Int64) {
    var size = max(16, places.count)
    while count * 4 > size * 3 { size *= 2 }
    guard size > places.count else { return }
    let old = places
    places = [Int32](repeating: SlotDirectory.vacant, count: size)
    for slot in old where slot != SlotDirectory.vacant { put(slot, number(slot)) }
  }

  /// The slot of a number.
  ///
  /// - Parameter number: returns the number in a slot.
  func find(_ wanted: Int64, _ number: (Int32) -> Int64) -> Int32? {
    guard !places.isEmpty else { return nil }
    var place = home(wanted)
    while places[place] != SlotDirectory.vacant {
      if number(places[place]) == wanted { return places[place] }
      place = next(place)
    }
    return nil
  }

  /// Adds the slot of a number that has none yet.
  mutating func insert(_ slot: Int32, _ number: (Int32) -> Int64) {
    reserve(count + 1, number)
    put(slot, number(slot))
    count += 1
  }

  /// Removes a number that has a slot.
  mutating func remove(_ wanted: Int64, _ number: (Int32) -> Int64) {
    guard !places.isEmpty else { return }
    var hole = home(wanted)
    while places[hole] != SlotDirectory.vacant, number(places[hole]) != wanted { hole = next(hole) }
    guard places[hole] != SlotDirectory.vacant else { return }
    count -= 1
    // Entries behind it move up if they may fill the hole, so that no search ends too soon.
    var place = next(hole)
    while places[place] != SlotDirectory.vacant {
      let fromHome = (place - home(number(places[place]))) & (places.count - 1)
      if fromHome >= (place - hole) & (places.count - 1) {
        places[hole] = places[place]
        hole = place
      }
      place = next(place)
    }
    places[hole] = SlotDirectory.vacant
  }

  private mutating func put(_ slot: Int32, _ number: Int64) {
    var place = home(number)
    while places[place] != SlotDirectory.vacant { place = next(place) }
    places[place] = slot
  }

  private func home(_ number: Int64) -> Int {
    let mixed = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 32) & UInt64(places.count - 1))
  }

  private func next(_ place: Int) -> Int { (place + 1) & (places.count - 1) }
}
