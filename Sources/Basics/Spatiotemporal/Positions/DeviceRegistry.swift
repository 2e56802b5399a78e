import Synchronization

/// A device's index in a ``DeviceRegistry``.
public struct DeviceNumber: Hashable, Sendable, Comparable {
  /// The index, from 0.
  public var rawValue: UInt32

  /// The index `rawValue`.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The first device of a registry.
  public static let first = DeviceNumber(rawValue: 0)

  /// Compares by index.
  @inlinable
  public static func < (a: DeviceNumber, b: DeviceNumber) -> Bool { a.rawValue < b.rawValue }
}

/// The names of the devices of one run, numbered in order of appearance.
///
/// Feeds number devices so that a ``Fix`` holds no string. All feeds of a run share one registry.
public final class DeviceRegistry: Sendable {
  private struct State {
    var numbers: [String: DeviceNumber] = [:]
    var names: [String] = []
    /// The numbers that may be released.
    var temporary: Set<DeviceNumber> = []
    /// Released numbers, free for reuse.
    var free: [DeviceNumber] = []

    mutating func number(of name: String) -> DeviceNumber {
      if let number = numbers[name] { return number }
      let number: DeviceNumber
      if let released = free.popLast() {
        number = released
        names[Int(number.rawValue)] = name
      } else {
        number = DeviceNumber(rawValue: UInt32(names.count))
        names.append(name)
      }
      numbers[name] = number
      return number
    }
  }

  private let state = Mutex(State())

  /// A registry with no devices.
  public init() {}

  /// The number of the device called `name`. Assigns one permanently if it has none.
  public func number(of name: String) -> DeviceNumber {
    state.withLock { state in
      let number = state.number(of: name)
      if !state.temporary.isEmpty { state.temporary.remove(number) }
      return number
    }
  }

  /// The number of the device called `name`. If it has none, assigns one that ``release(_:)`` can take back.
  public func temporaryNumber(of name: String) -> DeviceNumber {
    state.withLock { state in
      if let number = state.numbers[name] { return number }
      let number = state.number(of: name)
      state.temporary.insert(number)
      return number
    }
  }

  /// The number of the device called `name`; `nil` if it has none. Assigns none.
  public func known(_ name: String) -> DeviceNumber? { state.withLock { $0.numbers[name] } }

  /// Takes a temporary number back from a device. Another device may get it next, so the caller must first
  /// drop everything stored under it.
  ///
  /// - Returns: False if the device keeps its number, or has none.
  public func release(_ name: String) -> Bool {
    state.withLock { state in
      guard let number = state.numbers[name], state.temporary.remove(number) != nil else { return false }
      state.numbers[name] = nil
      state.names[Int(number.rawValue)] = ""
      state.free.append(number)
      return true
    }
  }

  /// The name of a device; empty for a number that this registry did not assign.
  public func name(of number: DeviceNumber) -> String {
    state.withLock { state in
      let index = Int(number.rawValue)
      return index < state.names.count ? state.names[index] : ""
    }
  }

  /// The names of all devices, in the order of their numbers; empty for a released number.
  public var names: [String] { state.withLock(\.names) }
}
