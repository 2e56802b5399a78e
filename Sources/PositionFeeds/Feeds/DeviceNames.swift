/// Names for devices that are told apart by number where they are the same: `walk`, `walk-2`, `walk-3`.
public struct DeviceNames {
  private var taken: Set<String> = []
  /// The last number that was tried, by name, so that many of one name take no longer than many of several.
  private var numbers: [String: Int] = [:]

  /// None are taken yet.
  public init() {}

  /// `name`, or `name-2` and so on where it is taken. It is from now on.
  public mutating func unique(_ name: String) -> String {
    var unique = name
    var number = numbers[name] ?? 1
    while !taken.insert(unique).inserted {
      number += 1
      unique = "\(name)-\(number)"
    }
    numbers[name] = number
    return unique
  }
}
