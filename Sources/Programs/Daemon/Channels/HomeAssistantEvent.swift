import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCryptography
import FencepostJSON

/// Firings as an event entity of Home Assistant, announced by MQTT discovery.
/// (https://www.home-assistant.io/integrations/event.mqtt/)
///
/// It is an event, because a device tracker or a sensor has a state, and a firing has none. There is one
/// entity for all places and items, which are attributes. An entity for each place would be announced with
/// its first event, and Home Assistant would miss that event. Events are not retained: otherwise each restart
/// of Home Assistant would repeat them.
enum HomeAssistantEvent {
  /// The discovery topic of Home Assistant.
  static func configurationTopic(stateTopic: String) -> String {
    "homeassistant/event/\(id(stateTopic))/alarm/config"
  }

  /// The discovery message.
  static func configuration(stateTopic: String) -> String {
    var device = JSONLine()
    device.add("identifiers", [id(stateTopic)])
    device.add("name", "Fencepost")
    device.add("manufacturer", "Fencepost")
    var origin = JSONLine()
    origin.add("name", "Fencepost")
    var line = JSONLine()
    line.add("name", "Alarm")
    line.add("unique_id", "\(id(stateTopic))_alarm")
    line.add("state_topic", stateTopic)
    line.add("event_types", Firing.Kind.allCases.map(\.rawValue))
    line.add("icon", "mdi:map-marker-alert")
    line.add("qos", 1)
    line.add("device", device)
    line.add("origin", origin)
    return line.line
  }

  /// The firing in `line`, with the key that makes it an event.
  static func payload(of firing: Firing, line: String) -> String {
    var event = JSONLine()
    event.add("event_type", firing.kind.rawValue)
    return event.line.dropLast() + "," + line.dropFirst()
  }

  /// The channel's identifier in Home Assistant: letters, digits and underscores, one per topic.
  private static func id(_ topic: String) -> String {
    "fencepost_" + MessageDigest.hexadecimal(MessageDigest.sha256(Array(topic.utf8))).prefix(12)
  }
}
