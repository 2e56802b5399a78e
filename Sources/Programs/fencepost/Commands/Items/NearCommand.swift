import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostItems
import FencepostJSON
import FencepostPhrases

extension FencepostTable {
  static let near = Command(
    "near", summary: "List reminders near a place, nearest first",
    discussion: ["The default place, also called `here`, is the last known position of a device."],
    examples: [
      Example("fencepost near 52.3990,13.0640 --within 2km", "Reminders within two kilometres"),
      Example("fencepost near Office", "Reminders near a named place"),
    ],
    options: [
      .value(.within, "LENGTH", short: "w", default: "1km", "Search radius"), lastDevice,
    ],
    positionals: [
      Positional(
        .place, .optional, "A coordinate or the name of a place", metavariable: "PLACE",
        completion: .program("places"))
    ],
    action: .look { try $0.near() })
}

extension CommandContext {
  /// `near [LAT,LON|PLACE] [--within LENGTH]`: by default near the last position of a device.
  func near() throws {
    let given = try parsed.positionals(.place, as: place).first
    let last = given == nil ? try lastPlace() : nil
    guard let place = given ?? last?.place, let center = place.coordinate else {
      throw parsed.misuse("'\(given?.title ?? "")' has no coordinate")
    }
    if let last, console.isTerminal, !json { console.say("From \(text(of: last.fix, device: last.device))") }
    // The maximum is half the Earth's circumference.
    let metres = min(try parsed.value(.within, as: LengthPhrase.metres) ?? 1000, 20_040_000)
    let store = try openStoreToLook()
    let (places, titles, lines) = try store.read { reader in
      let places = try reader.places(near: center, within: metres)
      var titles: [Identifier<ItemCalendar>: String] = [:]
      for place in places where titles[place.item.calendar] == nil {
        titles[place.item.calendar] = try reader.calendar(place.item.calendar)?.title ?? ""
      }
      return (places, titles, try itemLines(in: reader))
    }
    if json {
      for place in places {
        var line = JSONLine(type: "near")
        line.add("distance", (place.distance * 10).rounded() / 10)
        line.add("place", place.location.json)
        if let alarm = place.alarm { line.add("alarm", alarm.id.rawValue) }
        line.add("item", lines.object(place.item, list: titles[place.item.calendar] ?? ""))
        try console.print(line.line)
      }
      return
    }
    let times = TimeText(context: self)
    var table = TextTable(context: self, whole: [0])
    for place in places {
      table.add([
        LengthPhrase.text(place.distance), place.location.title, place.item.title,
        place.alarm.map(times.text) ?? "", titles[place.item.calendar] ?? "",
      ])
    }
    if table.isEmpty { console.say("Nothing within \(LengthPhrase.text(metres)).") }
    for line in table.lines { try console.print(line) }
  }
}
