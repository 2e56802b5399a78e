import FencepostCommandLineTable
import FencepostConfiguration

/// The settings of the configuration file, by their keys.
enum SettingName: String, CaseIterable {
  case store, socket, broker, zone, feeds, channels, server, policy, cushion, hold
  case maxAccuracy = "max-accuracy"
  case maxSpeed = "max-speed"
  case certainty, grace, history, geocoder
  case defaultAlarm = "default-alarm"
  case allDayHour = "all-day-hour"
  case suggestionAlarms = "suggestion-alarms"
  case maximumAge = "late-positions"
  case quietHours = "quiet-hours"
  case me, mail
  case meDevice = "me-device"
  case joinHosts = "join-hosts"
  case keepLog = "keep-log"
  case maximumDevices = "max-devices"
  case streets
  case logLevel = "log-level"

  /// The option for the same setting.
  var option: ValueKey {
    switch self {
    case .feeds: .feed
    case .channels: .deliver
    case .server: .serve
    default: ValueKey(rawValue)
    }
  }

  /// True for a list.
  var isList: Bool { self == .feeds || self == .channels || self == .me || self == .joinHosts }

  /// True if a value is an address, as text or as an object.
  var isAddress: Bool { isList || self == .server || self == .mail }
}

/// The values of a setting with their origins.
struct Setting {
  /// The origin of a value.
  enum Origin: Hashable {
    case option(String)
    case environment(String)
    case file(String, line: Int)
    case builtIn

    /// The origin as text, for people.
    var words: String {
      switch self {
      case .option(let spelling): spelling
      case .environment(let name): name
      case .file(let path, let line): "\(path):\(line)"
      case .builtIn: "by default"
      }
    }
  }

  /// A value with its origin.
  struct Value {
    var text: String
    var origin: Origin
    /// The file of the password in ``text``, and the address without that password.
    var password: (file: String, rest: String)?
  }

  let name: SettingName
  /// The value, or several for a list; empty if not set.
  var values: [Value]
}

/// An invalid setting, with its origin. One line.
struct SettingError: Error, CustomStringConvertible {
  let description: String
  /// The setting.
  let name: SettingName
  /// Where the value is: `FILE:LINE`, an option or a variable.
  let place: String
  /// What is wrong, without the origin.
  let complaint: String

  init(_ name: SettingName, _ origin: Setting.Origin, _ complaint: String) {
    self.name = name
    place = origin.words
    self.complaint = complaint
    switch origin {
    case .option(let spelling): description = "option '\(spelling)': \(complaint)"
    case .environment(let variable): description = "variable \(variable): \(complaint)"
    case .file(let path, let line):
      description = ConfigurationError(path: path, line: line, key: name.rawValue, complaint).description
    case .builtIn: description = "\(name.rawValue): \(complaint)"
    }
  }
}
