import Synchronization

/// A device's place in a ``DeviceRegistry``.
public struct DeviceNumber: Hashable, Sendable, Comparable {
  /// The place, from 0.
  public var rawValue: UInt32

  /// The place `rawValue`.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The first device of a registry.
  public static let first = DeviceNumber(rawValue: 0)

  /// By number.
  @inlinable
  public static func < (a: DeviceNumber, b: DeviceNumber) -> Bool { a.rawValue < b.rawValue }
}

/// The names of the devices of one run, numbered in the order in which they were first seen.
///
/// Feeds number devices so that a ``Fix`` holds no string. One registry is shared by all feeds of a run.
public final class DeviceRegistry: Sendable {
  private struct State {
    var numbers: [String: DeviceNumber] = [:]
    var names: [String] = []
  }

  private let state = Mutex(State())

  /// A registry with no devices.
  public init() {}

  /// The number of the device called `name`, given to it now where it has none.
  public func number(of name: String) -> DeviceNumber {
    number(of: name, ifFewerThan: .max) ?? .first
  }

  /// The number of the device called `name`; `nil` where it has none and as many as `limit` devices have one.
  public func number(of name: String, ifFewerThan limit: Int) -> DeviceNumber? {
    state.withLock { state in
      if let number = state.numbers[name] { return number }
      guard state.names.count < limit else { return nil }
      let number = DeviceNumber(rawValue: UInt32(state.names.count))
      state.names.append(name)
      state.numbers[name] = number
      return number
    }
  }

  /// The name of a device; the empty string for a number that this registry did not give.
  public func name(of number: DeviceNumber) -> String {
    state.withLock { state in
      let index = Int(number.rawValue)
      return index < state.names.count ? state.names[index] : ""
    }
  }

  /// The names of all devices, in the order of their numbers.
  public var names: [String] { state.withLock(\.names) }
}
