import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCryptography
import FencepostGeodesy
import FencepostGeofencing
import FencepostJSON
import FencepostRecurrence

/// Devices, who is where, and the next alarm, as entities of Home Assistant, announced by MQTT discovery
/// (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery).
///
/// A device tracker for each device, a presence sensor for each named place and device, and a sensor with the
/// time of the next alarm. All messages are retained, so that Home Assistant has them after a restart; one is
/// published only if it differs from the one before on this connection.
struct HomeAssistantStates {
  /// A message to publish, retained.
  struct Message: Hashable {
    var topic: String
    var payload: String
  }

  private let base: String
  private let lines: FiringJSON
  /// What is on the broker, by topic.
  private var published: [String: String] = [:]

  /// More are a mistake, or devices that a sender invented.
  private static let maximumDevices = 50
  private static let maximumPlaces = 50

  /// - Parameter base: The topic below which states are published.
  init(base: String, resolver: TimeResolver) {
    self.base = base
    lines = FiringJSON(resolver: resolver)
  }

  /// The messages that are not on the broker yet. Announcements come before states. A device or place that is
  /// gone is removed by an empty announcement.
  mutating func changes(in store: CalendarStore) throws -> [Message] {
    let wanted = try messages(in: store)
    let topics = Set(wanted.map(\.topic))
    let gone = published.keys.filter { topic in
      // Home Assistant warns of an empty time.
      !topics.contains(topic) && published[topic] != "" && topic != nextTimeTopic
    }.sorted()
    let messages = wanted.filter { published[$0.topic] != $0.payload }
    return gone.map { Message(topic: $0, payload: "") } + messages
  }

  /// Records that the broker has a message.
  mutating func record(_ message: Message) { published[message.topic] = message.payload }

  /// Forgets what the broker has: after a new connection it may have lost everything.
  mutating func forget() { published = [:] }

  private func messages(in store: CalendarStore) throws -> [Message] {
    let (devices, places, next) = try store.read { reader in
      (
        try reader.devices().filter { $0.lastFix?.coordinate.isValid == true },
        try reader.namedPlaces().filter { $0.region != nil },
        try reader.dueTimes(until: .distantFuture, limit: 1).first
      )
    }
    let latest = devices.sorted { ($0.lastFix?.time ?? .distantPast) > ($1.lastFix?.time ?? .distantPast) }
      .prefix(Self.maximumDevices).sorted { $0.name < $1.name }
    let shownPlaces = places.prefix(Self.maximumPlaces)
    let regions = FenceIndex(
      shownPlaces.enumerated().compactMap { index, place in
        place.region.map { Fence(id: FenceID(rawValue: Int64(index)), region: $0) }
      })
    var announcements: [Message] = []
    var states: [Message] = []
    for device in latest {
      guard let fix = device.lastFix else { continue }
      let id = Self.id(device.name)
      let topic = "\(base)/devices/\(id)"
      var tracker = entity("\(id)_tracker", name: nil, of: device.name)
      tracker.add("json_attributes_topic", topic)
      tracker.add("source_type", "gps")
      announcements.append(announcement("device_tracker", "\(id)_tracker", tracker))
      states.append(Message(topic: topic, payload: attributes(fix)))
      let inside = Set(regions.fences(containing: fix.coordinate).map(\.rawValue))
      for (index, place) in shownPlaces.enumerated() {
        let object = "\(id)_\(Self.id(place.title))"
        var sensor = entity(object, name: "At \(place.title)", of: device.name)
        sensor.add("state_topic", "\(topic)/places/\(Self.id(place.title))")
        sensor.add("device_class", "presence")
        announcements.append(announcement("binary_sensor", object, sensor))
        states.append(
          Message(
            topic: "\(topic)/places/\(Self.id(place.title))",
            payload: inside.contains(Int64(index)) ? "ON" : "OFF"))
      }
    }
    announcements.append(announcement("sensor", "next_alarm", nextAlarm()))
    let time = next.map { lines.text($0.time) }
    // First the time, so that the sensor has it when it becomes available.
    if let time { states.append(Message(topic: nextTimeTopic, payload: time)) }
    states.append(Message(topic: "\(base)/next", payload: time ?? "None"))
    return announcements + states
  }

  /// The time of the next alarm for the sensor, which warns of a state that is no time. Nothing is published
  /// there while nothing is armed.
  private var nextTimeTopic: String { "\(base)/next/time" }

  /// The sensor of the next alarm. While nothing is armed, it is not available, as that of a phone.
  private func nextAlarm() -> JSONLine {
    var sensor = entity("next_alarm", name: "Next alarm", of: nil)
    sensor.add("state_topic", nextTimeTopic)
    sensor.add("availability_topic", "\(base)/next")
    sensor.add("availability_template", "{{ 'offline' if value == 'None' else 'online' }}")
    sensor.add("device_class", "timestamp")
    sensor.add("icon", "mdi:alarm")
    return sensor
  }

  private func attributes(_ fix: Fix) -> String {
    var line = JSONLine()
    line.add("latitude", fix.coordinate.latitude)
    line.add("longitude", fix.coordinate.longitude)
    if let accuracy = fix.horizontalAccuracy { line.add("gps_accuracy", accuracy) }
    if let battery = fix.battery { line.add("battery_level", Int(battery)) }
    line.add("time", lines.text(fix.time))
    return line.line
  }

  private func entity(_ object: String, name: String?, of device: String?) -> JSONLine {
    Self.entity(object, name: name, of: device, base: base)
  }

  /// The keys that all entities have. An entity without a name is called as its device.
  static func entity(_ object: String, name: String?, of device: String?, base: String) -> JSONLine {
    let node = HomeAssistantEvent.id(base)
    var owner = JSONLine()
    owner.add("identifiers", [device.map { "\(node)_\(id($0))" } ?? node])
    owner.add("name", device ?? "Fencepost")
    owner.add("manufacturer", "Fencepost")
    if device != nil { owner.add("via_device", node) }
    var origin = JSONLine()
    origin.add("name", "Fencepost")
    var line = JSONLine()
    line.add("name", name)
    line.add("unique_id", "\(node)_\(object)")
    line.add("qos", 1)
    line.add("device", owner)
    line.add("origin", origin)
    return line
  }

  private func announcement(_ component: String, _ object: String, _ line: JSONLine) -> Message {
    Message(
      topic: "homeassistant/\(component)/\(HomeAssistantEvent.id(base))/\(object)/config", payload: line.line)
  }

  /// Letters and digits for a name.
  private static func id(_ name: String) -> String { MessageDigest.digits(of: name, count: 12) }
}
