import CalendarModel

/// Positions that came over a network, under the numbers that their devices have with all feeds: whoever may send must not
/// make the daemon hold any number of names, nor names that nobody can read.
struct AdmittedFixes {
  /// How many devices there may be that were heard of over a network.
  static let mostDevices = 100_000
  /// How many bytes a device's name may have.
  static let longestName = 255

  /// Those that may be.
  private(set) var fixes: [Fix] = []
  /// How many are of a device whose name is too long, or holds control characters.
  private(set) var misnamed = 0
  /// How many are of a device that is one too many.
  private(set) var surplus = 0

  /// - Parameters:
  ///   - received: Positions as they were read.
  ///   - names: What numbered their devices.
  ///   - devices: What is to number them.
  ///   - limit: How many devices there may be.
  init(
    _ received: [Fix], namedBy names: DeviceRegistry, in devices: DeviceRegistry, limit: Int = mostDevices
  ) {
    fixes.reserveCapacity(received.count)
    var last: (number: DeviceNumber, admission: Admission)?
    for var fix in received {
      if last?.number != fix.device {
        let name = names.name(of: fix.device)
        last = (fix.device, AdmittedFixes.isName(name) ? .number(devices, name, limit) : .misnamed)
      }
      switch last?.admission {
      case .admitted(let number):
        fix.device = number
        fixes.append(fix)
      case .misnamed: misnamed += 1
      case .surplus, nil: surplus += 1
      }
    }
  }

  private enum Admission {
    case admitted(DeviceNumber)
    case misnamed
    case surplus

    static func number(_ devices: DeviceRegistry, _ name: String, _ limit: Int) -> Admission {
      devices.number(of: name, ifFewerThan: limit).map(Admission.admitted) ?? .surplus
    }
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.count <= longestName
      && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
