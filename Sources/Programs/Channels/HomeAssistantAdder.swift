import FencepostActions
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostMQTT
import FencepostPhrases
import FencepostRecurrence
import FencepostSystem
import Synchronization

/// Lets people add reminders in Home Assistant, by a text entity that MQTT discovery announces
/// (https://www.home-assistant.io/integrations/text.mqtt/).
///
/// It waits for lines on a thread and a connection of its own. The entity's state says what became of the last
/// line. While nobody would hear a line, the entity is unavailable: the broker says so if the connection ends.
final class HomeAssistantAdder: Sendable {
  private let address: MQTTAddress
  private let context: ChannelContext
  private let clock: @Sendable () -> Instant
  private let wakeUp: WakeUp
  private let sleeper = Sleeper()
  private let isStopped = Mutex(false)

  /// The characters of an entity's state and of a line, at most (Home Assistant's limit for states).
  private static let maximumCharacters = 255
  private static let offline = "offline"

  /// Starts to wait for lines.
  init(
    _ address: MQTTAddress, _ context: ChannelContext,
    clock: @escaping @Sendable () -> Instant = Instant.wallClock
  ) throws {
    self.address = address
    self.context = context
    self.clock = clock
    wakeUp = try WakeUp()
    try SystemThread.start("quick add") { [weak self] in HomeAssistantAdder.run { self } }
  }

  /// Ends the thread.
  func stop() {
    isStopped.withLock { $0 = true }
    wakeUp.signal()
    sleeper.stop()
  }

  // MARK: Topics

  private var base: String { address.topic }
  private var lineTopic: String { "\(base)/add" }
  private var stateTopic: String { "\(base)/added" }
  private var availabilityTopic: String { "\(base)/add/availability" }

  /// The topic and the message that announce the entity.
  var announcement: (topic: String, payload: String) {
    let node = HomeAssistantEvent.id(base)
    var line = HomeAssistantStates.entity("add", name: "Add", of: nil, base: base)
    line.add("command_topic", lineTopic)
    line.add("state_topic", stateTopic)
    line.add("availability_topic", availabilityTopic)
    line.add("max", Self.maximumCharacters)
    line.add("icon", "mdi:playlist-plus")
    return ("homeassistant/text/\(node)/add/config", line.line)
  }

  // MARK: The connection

  private static func run(_ current: () -> HomeAssistantAdder?) {
    let backoff = Backoff(first: 5, most: 600)
    var failures = 0
    while let adder = current(), !adder.isStopped.withLock({ $0 }) {
      do throws(MQTTFailure) {
        try adder.listen { failures = 0 }
        return
      } catch {
        failures += 1
        if failures == 1 { adder.context.log(.warning, "\(adder.address): can't wait for lines: \(error)") }
        let pause = Instant.wallClock().adding(seconds: backoff.seconds(afterFailures: failures))
        guard adder.sleeper.sleep(until: pause) else { return }
      }
    }
  }

  /// Adds what comes, until it is stopped.
  private func listen(_ connected: () -> Void) throws(MQTTFailure) {
    let client = try MQTTClient(address, will: (availabilityTopic, Self.offline))
    try client.connect()
    let (topic, payload) = announcement
    try client.publish(payload, to: topic, isRetained: true)
    try client.subscribe(to: [lineTopic])
    try client.publish("online", to: availabilityTopic, isRetained: true)
    connected()
    while true {
      let messages = try client.receive(stop: wakeUp.descriptor)
      guard !messages.isEmpty else {
        try client.publish(Self.offline, to: availabilityTopic, isRetained: true)
        return client.disconnect()
      }
      var state: String?
      // A retained line is old: nobody typed it now.
      for message in messages where !message.isRetained && !message.payload.isEmpty {
        state = add(String(decoding: message.payload, as: UTF8.self))
      }
      // It is stored, so the broker need not repeat it.
      try client.acknowledge()
      if let state { try client.publish(state, to: stateTopic, isRetained: true) }
    }
  }

  // MARK: Lines

  /// Adds what a line says.
  ///
  /// - Returns: What became of it, as the entity shows it.
  func add(_ text: String) -> String {
    let answer: String
    do {
      guard text.count <= Self.maximumCharacters else {
        throw ActionError.notUnderstood(words: "\(text.prefix(40))…")
      }
      let now = clock()
      let dates = DatePhrase(at: now, resolver: context.resolver)
      let places = try context.store.read { try $0.namedPlaces().map(\.title) }
      let entry = try QuickEntry(text, dates: dates, places: places)
      let item = try context.store.write(undoableAs: UndoLabel(.add, entry.title, by: .pages, at: now)) {
        try $0.add(entry, at: now)
      }
      answer =
        "Added: \(echo(item))"
        + (item.isOver(at: now, resolver: context.resolver) ? " (past: will not ring)" : "")
    } catch {
      answer = "Not added: \(error)"
    }
    let plain = answer.withoutControls
    return plain.count > Self.maximumCharacters ? plain.prefix(Self.maximumCharacters - 1) + "…" : plain
  }

  /// What was understood: `Buy milk, 2026-05-02 09:00, every week, arriving at Bakery`.
  private func echo(_ item: CalendarItem) -> String {
    let words = FiringWords(resolver: context.resolver)
    func time(_ time: CalendarTime) -> String {
      time.isDate ? "\(time.day)" : words.time(context.resolver.instant(of: time))
    }
    var parts = [item.title]
    if let start = item.event?.start ?? item.reminder?.due { parts.append(time(start)) }
    parts += item.recurrence?.rules.map { RepeatPhrase.text($0, date: time) } ?? []
    parts += item.alarms.compactMap(\.proximity).map { trigger in
      "\(trigger.event == .leave ? "leaving" : "arriving at") \(trigger.location.title)"
    }
    return parts.joined(separator: ", ")
  }
}
