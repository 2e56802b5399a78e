import CommandLineTable
import Configuration

/// What can be set in the configuration file, by the key that it has there.
enum SettingName: String, CaseIterable {
  case store, socket, zone, feeds, channels, policy, cushion, hold
  case maxAccuracy = "max-accuracy"
  case maxSpeed = "max-speed"
  case certainty, grace, history, geocoder
  case defaultAlarm = "default-alarm"
  case allDayHour = "all-day-hour"
  case logLevel = "log-level"

  /// The option that says the same.
  var option: String {
    switch self {
    case .feeds: "feed"
    case .channels: "deliver"
    default: rawValue
    }
  }

  /// True for a list of addresses.
  var isList: Bool { self == .feeds || self == .channels }
}

/// What holds of a setting, and who said so.
struct Setting {
  /// Who said what holds.
  enum Origin: Hashable {
    case option(String)
    case environment(String)
    case file(String, line: Int)
    case builtIn

    /// In words, for people.
    var words: String {
      switch self {
      case .option(let spelling): spelling
      case .environment(let name): name
      case .file(let path, let line): "\(path):\(line)"
      case .builtIn: "by default"
      }
    }
  }

  /// A value as it was said.
  struct Value {
    var text: String
    var origin: Origin
    /// The file that the password in it was read from, and the text without that.
    var password: (file: String, rest: String)?
  }

  let name: SettingName
  /// One value, or those of a list; empty where nothing was said.
  var values: [Value]
}

/// Something that was set can't be understood, or can't be: who said it, and what is wrong. One line.
struct SettingError: Error, CustomStringConvertible {
  let description: String

  init(_ name: SettingName, _ origin: Setting.Origin, _ complaint: String) {
    switch origin {
    case .option(let spelling): description = "option '\(spelling)': \(complaint)"
    case .environment(let variable): description = "variable \(variable): \(complaint)"
    case .file(let path, let line):
      description = ConfigurationError(path: path, line: line, key: name.rawValue, complaint).description
    case .builtIn: description = "\(name.rawValue): \(complaint)"
    }
  }
}
