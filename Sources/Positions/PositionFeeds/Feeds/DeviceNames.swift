/// Makes the names of devices unique with a number: `walk`, `walk-2`, `walk-3`.
public struct DeviceNames {
  private var taken: Set<String> = []
  /// The last number that was tried for each name, so that many devices with one name stay cheap.
  private var numbers: [String: Int] = [:]

  /// Starts without names.
  public init() {}

  /// Takes `name`, or `name-2` and so on if it is taken, and returns it.
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
