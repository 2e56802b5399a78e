import FencepostCalendarModel
import FencepostConfiguration
import FencepostJSON
import FencepostPhrases
import Foundation

extension AlarmDefaults {
  /// The default alarm settings for the store of the settings file; the built-in defaults for any other store.
  static func settings(for location: StoreLocation) throws -> AlarmDefaults {
    var defaults = AlarmDefaults()
    guard location == .standard,
      let file = try StandardPaths(environment: ProcessInfo.processInfo.environment).configuration()
    else { return defaults }
    func read<Value>(_ key: String, _ phrase: (String) throws(WordError) -> Value) throws -> Value? {
      guard let member = file.member(key) else { return nil }
      do {
        return try phrase(file.text(of: member))
      } catch let error as WordError {
        throw file.error(error.description, line: member.line, key: key)
      }
    }
    if let alarm = try read("default-alarm", DefaultAlarmPhrase.offset) { defaults.alarm = alarm }
    if let hour = try read("all-day-hour", DefaultAlarmPhrase.hour) { defaults.allDaySecond = hour }
    return defaults
  }
}
