/// Watches whether the fixes of a trace or a message come in the order of their times, for each device.
///
/// A clock that goes back by more than ``clockSetBack`` was set. What came before that stays before: its
/// times have nothing to do with those that follow.
public struct FixOrder: Sendable {
  /// If a device's clock goes back by this many seconds from one fix to the next, it was wrong before.
  public static let clockSetBack = 30 * 86_400.0

  /// The times of a device.
  private struct Times {
    var previous = Instant.distantPast
    var latest = Instant.distantPast

    @inline(__always)
    mutating func add(_ time: Instant) -> Bool? {
      let isLate = time < latest
      if isLate {
        if time.adding(seconds: FixOrder.clockSetBack) < previous { return nil }
      } else {
        latest = time
      }
      previous = time
      return isLate
    }
  }

  /// By the number of the device, as far as there are enough fixes for the space.
  private var devices: [Times] = []
  /// Those of devices with higher numbers.
  private var others: [DeviceNumber: Times] = [:]
  /// How many fixes came.
  private var count = 0

  /// Watches from the first fix on.
  public init() {}

  /// Adds fixes, up to the first one whose device's clock was set back.
  ///
  /// - Returns: The index of that one, which was not added, or the end; and how many of the added ones came
  ///   after a later one of their device.
  public mutating func add(_ fixes: ArraySlice<Fix>) -> (end: Int, late: Int) {
    var late = 0
    count += fixes.count
    for index in fixes.indices {
      let isLate = add(fixes[index])
      guard let isLate else { return (index, late) }
      if isLate { late += 1 }
    }
    return (fixes.endIndex, late)
  }

  /// Adds a fix. Returns whether it is late; `nil`, and nothing is added, if its device's clock was set back.
  @inline(__always)
  private mutating func add(_ fix: Fix) -> Bool? {
    let device = Int(fix.device.rawValue)
    if device < devices.count { return devices[device].add(fix.time) }
    return addDistant(fix, device)
  }

  @inline(never)
  private mutating func addDistant(_ fix: Fix, _ device: Int) -> Bool? {
    guard device < 64 + 4 * count else { return others[fix.device, default: Times()].add(fix.time) }
    let first = devices.count
    devices.append(contentsOf: repeatElement(Times(), count: device + 1 - first))
    for (other, times) in others where Int(other.rawValue) <= device {
      devices[Int(other.rawValue)] = times
      others[other] = nil
    }
    return devices[device].add(fix.time)
  }
}

extension Array<Fix> {
  /// Sorts fixes by time, unless the fixes of each device are in order already. Fixes of one time keep their
  /// order. Where the clock of a device was set back (``FixOrder``), what came before stays before.
  ///
  /// - Returns: How many fixes came after a later one of their device.
  @discardableResult
  public mutating func sortByTime() -> Int {
    // Most messages have one.
    guard count > 1 else { return 0 }
    var all = 0
    var start = 0
    while start < count {
      var order = FixOrder()
      let (end, late) = order.add(self[start...])
      if late > 0 { self[start..<end].sortByTime() }
      all += late
      start = end
    }
    return all
  }
}

extension ArraySlice<Fix> {
  /// Sorts all fixes by time. Fixes of one time keep their order. The first fix of each segment is then the
  /// one that starts it.
  public mutating func sortByTime() {
    // The standard library does not promise that its sort keeps the order of equal elements.
    let order = indices.map { (time: self[$0].time, index: $0) }
      .sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    let segments = contains(where: \.startsSegment) ? segments : nil
    var sorted = order.map { self[$0.index] }
    if let segments {
      var before: [DeviceNumber: Int] = [:]
      for (place, element) in order.enumerated() {
        let segment = segments[element.index - startIndex]
        let last = before.updateValue(segment, forKey: sorted[place].device)
        // The first segment may have begun before these fixes.
        sorted[place].startsSegment = last.map { $0 != segment } ?? (segment > 0)
      }
    }
    replaceSubrange(startIndex..<endIndex, with: sorted)
  }

  /// The number of each fix's segment, counted for each device in the order of the fixes, from 0 before the
  /// first start of one.
  private var segments: [Int] {
    var numbers: [DeviceNumber: Int] = [:]
    return map { fix in
      if fix.startsSegment { numbers[fix.device, default: 0] += 1 }
      return numbers[fix.device, default: 0]
    }
  }
}
