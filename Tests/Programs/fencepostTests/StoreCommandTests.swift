import FencepostCommandLineTable
import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("Commands over the store")
struct StoreCommandTests {
  @Test("A reminder can be added, listed, found by place, completed and removed")
  func lifeOfAReminder() throws {
    let fixture = try CommandFixture()
    let added = fixture.run(
      "add", "reminder", "Buy bread", "--arrive", "52.399,13.064", "--radius", "80", "--place-name", "Bakery",
      "--list", "Errands", "--due", "tomorrow 9am", "--alarm", "-15m", "--priority", "1")
    #expect(added.code == .success)
    let id = try #require(added.lines.first)

    let listed = fixture.run("list")
    #expect(
      listed.lines == [
        "[ ]\t\(id)\t2026-05-02T09:00:00+02:00\tBuy bread\t"
          + "arriving at Bakery (52.399,13.064, within 80 m), 15 min before\tErrands"
      ])
    let near = fixture.run("near", "52.4,13.064", "--within", "500m", "--json")
    let found = try object(try #require(near.lines.first))
    #expect(abs((found["distance"] as? Double ?? 0) - 31.3) < 0.1)
    #expect(fixture.run("near", "52.5,13.064").output == "")

    let completed = fixture.run("complete", String(id.prefix(6)))
    #expect(completed.lines == ["completed Buy bread"])
    #expect(fixture.run("list").output == "")
    #expect(fixture.run("list", "--completed").lines.count == 1)
    #expect(fixture.run("complete", "--undo", id).lines == ["reopened Buy bread"])

    let refused = fixture.run("remove", id)
    #expect(refused.code == .failure)
    #expect(refused.diagnostics.contains("use --yes"))
    #expect(fixture.run("remove", id, "--yes").lines == ["removed Buy bread"])
    #expect(fixture.run("show", id).code == .failure)
  }

  @Test("Completing a recurring reminder moves it to the next date and keeps the completed one")
  func rollingOn() throws {
    let fixture = try CommandFixture()
    let id = try #require(
      fixture.run(
        "add", "reminder", "Tablet", "--due", "2026-04-29 08:00", "--repeat", "daily", "--alarm", "0m"
      ).lines.first)
    let done = fixture.run("complete", id)
    #expect(done.lines == ["next due 2026-05-02T08:00:00+02:00: Tablet"])
    #expect(fixture.run("list", "--all").lines.count == 2)
  }

  @Test("Events can have whole days or times")
  func events() throws {
    let fixture = try CommandFixture()
    fixture.run("add", "event", "Fair", "--start", "2026-05-09", "--end", "2026-05-10")
    fixture.run("add", "event", "Choir", "--start", "thursday 19:00", "--duration", "90m")
    let lines = fixture.run("list", "--events", "--json").lines
    let objects = try lines.map(object)
    #expect(objects.map { $0["title"] as? String } == ["Choir", "Fair"])
    #expect(objects.map { $0["start"] as? String } == ["2026-05-07T19:00:00+02:00", "2026-05-09"])
    // The end is the day after the last one, as in RFC 5545.
    #expect(objects.map { $0["end"] as? String } == ["2026-05-07T20:30:00+02:00", "2026-05-11"])
  }

  @Test(
    "The limits of an alarm at a place",
    arguments: [
      (["--arrive", "52.4,13.1", "--dwell", "10m"], "10 min at 52.4,13.1 (52.4,13.1, within 100 m)"),
      (
        ["--leave", "52.4,13.1", "--between", "22:00-06:00", "--on", "sat, sun", "--times", "daily"],
        "leaving 52.4,13.1 (52.4,13.1, within 100 m) [once a day; 22:00-06:00; on sun, sat]"
      ),
      (
        [
          "--arrive", "52.4,13.1", "--not-before", "2026-05-03", "--not-after", "2026-05-09", "--device",
          "phone",
        ],
        "arriving at 52.4,13.1 (52.4,13.1, within 100 m) [from 2026-05-03; until 2026-05-09; device phone]"
      ),
      (
        ["--arrive", "52.4,13.1", "--if-inside"],
        "arriving at 52.4,13.1 (52.4,13.1, within 100 m) [also if inside]"
      ),
    ])
  func limits(words: [String], alarm: String) throws {
    let fixture = try CommandFixture()
    let added = fixture.run(["add", "reminder", "x"] + words)
    #expect(added.code == .success, "\(added.diagnostics)")
    #expect(
      fixture.run("list").lines.first?.split(separator: "\t").last { $0 != "Reminders" } == alarm[...])
  }

  @Test("A fence from a GeoJSON file triggers its alarm at the boundary")
  func outline() throws {
    let fixture = try CommandFixture()
    // A triangle east of 10.3, in a Feature like those of drawing programs.
    let park = try fixture.directory.write(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[10.30,52.48],[10.32,52.49],[10.30,52.50],[10.30,52.48]]]}}]}"#,
      to: "park.geojson")
    let added = fixture.run("add", "reminder", "Litter", "--fence", park, "--when", "both")
    #expect(added.code == .success, "\(added.diagnostics)")
    let walk = (0..<40).map { "2026-05-02T08:0\($0 / 6):\($0 % 6)0Z,52.49,\(10.290 + Double($0) * 0.001)" }
    let trace = try fixture.directory.write(
      "time,latitude,longitude\n" + walk.joined(separator: "\n") + "\n", to: "walk.csv")
    for policy in ["exact", "robust"] {
      let result = fixture.run("replay", "--policy", policy, trace)
      #expect(result.lines.map { $0.split(separator: "\t")[1] } == ["arrived", "left"], "\(policy)")
    }
    let bad = try fixture.directory.write("{\"type\":\"Point\",\"coordinates\":[1,2]}", to: "point.geojson")
    #expect(fixture.run("add", "reminder", "x", "--fence", bad).code == .failure)
  }

  @Test("Importing a file twice adds its items once")
  func importing() throws {
    let fixture = try CommandFixture()
    let first = fixture.run("import", CommandFixture.data("errands.ics"), "--list", "Errands")
    let second = fixture.run("import", CommandFixture.data("errands.ics"))
    #expect(first.lines.first?.hasSuffix(": 32 added, 0 updated") == true)
    #expect(second.lines.first?.hasSuffix(": 0 added, 0 updated, 32 unchanged") == true)
    #expect(fixture.run("list", "--list", "Errands", "--reminders", "--all").lines.count == 23)
  }

  @Test("An exported and imported item goes off in the same way")
  func exporting() throws {
    let (here, there) = (try CommandFixture(), try CommandFixture())
    here.run("import", CommandFixture.data("errands.ics"), "--list", "Errands")
    let file = here.directory.path("out.ics")
    #expect(here.run("export", "-o", file).code == .success)
    #expect(there.run("import", file).lines.first?.hasSuffix("32 added, 0 updated") == true)
    let week = CommandFixture.data("commute-week.csv")
    let played = here.run("replay", "--json", week).lines.dropLast()
    #expect(played == there.run("replay", "--json", week).lines.dropLast())
    #expect(played.count == 39)
    // Standard output has the same text, except for items of another list.
    let text = here.run("export", "--list", "Errands").output
    #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n"))
    #expect(text.hasSuffix("END:VCALENDAR\r\n"))
    #expect(here.run("export", "--list", "Nowhere").code == .failure)
  }

  @Test("OwnTracks' waypoints become reminders at their places, once")
  func waypoints() throws {
    let fixture = try CommandFixture()
    let path = try fixture.directory.write(
      #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Home","lat":52.4,"lon":"13.1","rad":"50","tst":1700000000},{"_type":"waypoint","desc":"Beacon","tst":2}]}"#,
      to: "places.otrw")
    for expected in ["1 added, 0 updated", "0 added, 0 updated, 1 unchanged"] {
      let result = fixture.run("import", path)
      #expect(result.lines.first?.hasSuffix(expected) == true, "\(result.diagnostics)")
      #expect(result.diagnostics.contains("1 waypoints have no place"))
    }
    let near = fixture.run("near", "52.4,13.1")
    #expect(near.lines.filter { $0.hasSuffix("Places") }.count == 3)
    let other = try fixture.directory.write("{}", to: "other.otrw")
    #expect(fixture.run("import", other).code == .failure)
  }

  @Test("A broken component of a file is skipped; a file that is not a calendar is an error")
  func brokenImport() throws {
    let fixture = try CommandFixture()
    let broken = try fixture.directory.write(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Whole\r\nEND:VTODO\r\n"
        + "BEGIN:VTODO\r\nUID:2\r\nSUMMARY:Cut\r\n", to: "broken.ics")
    let result = fixture.run("import", broken)
    #expect(result.code == .success)
    #expect(result.lines.first == "\(broken): 1 added, 0 updated")
    #expect(result.diagnostics.contains("\(broken):8"))
    let picture = try fixture.directory.write(Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10]), to: "picture.jpg")
    #expect(fixture.run("import", picture).code == .failure)
    #expect(fixture.run("list").lines.count == 1)
  }

  private static let mistakes: [([String], String)] = [
    (["lisst"], "'fencepost' has no command 'lisst'; did you mean 'list' or 'lists'?"),
    (["replay"], "missing TRACE"),
    (["replay", "--polcy", "exact", "x"], "unknown option '--polcy'; did you mean '--policy'?"),
    (["replay", "--policy", "exakt", "x"], "must be robust or exact"),
    (["add", "reminder", "x", "--due", "never"], "invalid date 'never'"),
    (["add", "reminder", "x", "--arrive", "here"], "no known position for any device"),
    (["near", "1,2", "--within", "far"], "invalid length 'far'"),
    // Contradictory options.
    (["add", "reminder", "x", "--alarm", "-15m"], "use --due"),
    (["add", "reminder", "x", "--radius", "50"], "needs --arrive, --leave or --fence"),
    (["add", "reminder", "x", "--repeat", "daily"], "needs --due"),
    (["add", "reminder", " "], "a title can't be empty"),
    (["add", "reminder", "x", "--start", "tomorrow", "--due", "today"], "start after it is due"),
    (
      ["add", "event", "x", "--start", "2026-05-02 10:00", "--end", "2026-05-02 09:00"],
      "end before it starts"
    ),
    (["add", "event", "x", "--start", "today", "--end", "12:00"], "must both be dates or both be times"),
    (
      ["add", "event", "x", "--start", "9:00", "--end", "10:00", "--duration", "1h"],
      "--end or --duration, not both"
    ),
    (["add", "event", "x", "--start", "9:00", "--arrive", "95,0"], "invalid coordinate"),
    (["list", "--due", "someday"], "invalid due date 'someday'"),
    (["list", "--due", "2026-05-04..2026-05-01"], "invalid range of days '2026-05-04..2026-05-01'"),
    (["list", "--within", "2km"], "needs --near"),
    (["list", "--priority", "urgent"], "invalid priority 'urgent'"),
    (["list", "--sort", "tittle"], "did you mean 'title'?"),
    (["agenda", "fortnight"], "invalid day or range of days 'fortnight'"),
    (["search", " "], "give the words to search for"),
    (["search", "x", "--limit", "0"], "must be a whole number from 1 to"),
    (["edit", "x"], "nothing to change"),
    (["edit", "bread", "--priority", "10"], "invalid priority '10'"),
    (["edit", "x", "--span", "some", "--title", "y"], "must be this, future or all"),
    (["move", "x"], "missing option '--list NAME'"),
    (["lists", "add", "x", "--list-color", "puce"], "invalid colour 'puce'"),
    (["lists", "color", "x", "#12345"], "invalid colour '#12345'"),
    (["lists", "rename", "x"], "missing NEW-NAME"),
    (["lists", "remvoe", "x"], "did you mean 'remove'?"),
    (["places", "add", "52.5,13.4", "52.5,13.4"], "give the name before the coordinate"),
    (["places", "add", "x", "52.5,13.4", "--radius", "0"], "invalid radius '0'"),
    (["alarms", "next", "--limit", "many"], "must be a whole number"),
    (["alarms", "snooze", "x", "--for", "-5m"], "--for must be a duration"),
    (["undo", "2"], "takes options only"),
  ]

  @Test("Invalid words", arguments: mistakes)
  func misuse(words: [String], says: String) throws {
    let fixture = try CommandFixture()
    fixture.run("add", "reminder", "Bread")
    let result = fixture.run(words)
    #expect(result.code == .misuse)
    #expect(result.output == "")
    #expect(result.diagnostics.contains(says))
    #expect(result.diagnostics.contains("See 'fencepost help"))
  }

  @Test(
    "Impossible requests",
    arguments: [
      (["list", "--store", "/nonexistent/calendar.sqlite"], "there is no store here"),
      (["show", "x"], "there is no store here"),
      (["undo"], "there is no store here"),
    ])
  func nonsense(words: [String], says: String) throws {
    let result = try CommandFixture().run(words)
    #expect(result.code == (words.contains("--zone") ? .misuse : .failure))
    #expect(result.diagnostics.contains(says))
    #expect(result.diagnostics.split(separator: "\n").count == 1)
  }

  @Test("A single letter must be the whole title", arguments: ["Z", "z", "水"])
  func letter(word: String) throws {
    let fixture = try CommandFixture()
    for title in ["Zoo", "z 水", word.uppercased()] { fixture.run("add", "reminder", title) }
    #expect(fixture.run("show", word).output.contains("\t\(word.uppercased())\n"))
    #expect(fixture.run("complete", word).code == .success)
    #expect(fixture.run("show", "y").diagnostics.contains("no item matches 'y'"))
  }

  @Test("An identifier is shortened to a unique prefix")
  func ambiguous() throws {
    let fixture = try CommandFixture()
    fixture.run("import", CommandFixture.data("errands.ics"))
    let result = fixture.run("show", "the")
    #expect(result.code == .failure)
    #expect(result.diagnostics.contains("'the' matches more than one item; use an identifier:\n  "))
    // The beginning of an identifier has four characters or more.
    #expect(fixture.run("complete", "6").diagnostics.contains("no item matches '6'"))
  }
}

@Suite("Words that several items match")
struct ChoiceTests {
  private let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture()
    fixture.run("add", "Buy milk today 18:00", "--create-list", "--list", "Groceries")
    fixture.run("add", "Milk for the cat")
  }

  @Test("Without a terminal, each is listed with its identifier, list and time")
  func listed() throws {
    let result = fixture.run("complete", "milk")
    #expect(result.code == .failure)
    let lines = result.diagnostics.split(separator: "\n").map(String.init)
    #expect(lines.count == 3, "\(lines)")
    let line = try #require(
      lines.first { $0.hasSuffix("Buy milk (Groceries, 2026-05-01 18:00)") }, "\(lines)")
    let id = try #require(line.split(separator: " ").first.map(String.init))
    #expect(fixture.run("complete", id).output == "completed Buy milk\n")
  }

  @Test(
    "On a terminal it asks, and the answer counts",
    arguments: [["complete", "milk"], ["edit", "milk", "--priority", "high"]])
  func asked(words: [String]) throws {
    fixture.answers = true
    fixture.input = ["2"]
    let result = fixture.run(words)
    #expect(result.code == .success, "\(result.diagnostics)")
    #expect(result.diagnostics.contains("Which one? (1-2, or nothing)"))
    let second = result.diagnostics.contains("  2  Milk for the cat (") ? "Milk for the cat" : "Buy milk"
    #expect(result.output.contains(second), "\(result.output)")
  }

  @Test("Another answer changes nothing", arguments: ["", "3", "milk"])
  func refused(answer: String) throws {
    fixture.answers = true
    fixture.input = [answer]
    let result = fixture.run("complete", "milk")
    #expect(result.code == .failure && result.diagnostics.contains("nothing was changed"))
    #expect(fixture.run("list").lines.count == 2)
  }
}

@Suite("The table of commands")
struct TableTests {
  @Test("The table has no violations")
  func laws() { #expect(FencepostTable.table.violations() == []) }

  @Test("Commands have an action, unless they only have subcommands")
  func actions() {
    for node in FencepostTable.table.root.subtree.dropFirst() {
      #expect((node.command.action != nil) == !node.command.needsSubcommand, "\(node.name)")
    }
  }

  @Test("Each command's help is the recorded one", arguments: FencepostTable.table.root.subtree.map(\.path))
  func help(path: [String]) throws {
    let result = try CommandFixture().run(Array(path.dropFirst()) + ["--help"])
    #expect(result.code == .success)
    try Snapshot.expect(result.output, toBe: "help\(path.dropFirst().map { "-\($0)" }.joined()).txt")
  }

  @Test("The manual and the completions contain all commands")
  func documents() throws {
    let fixture = try CommandFixture()
    #expect(fixture.run("manual").output.contains(".Nm fencepost"))
    for shell in ["bash", "zsh", "fish"] {
      #expect(fixture.run("completions", shell).output.contains("replay"))
    }
  }

  @Test("The version is printed, and no arguments print the help")
  func plain() throws {
    let fixture = try CommandFixture()
    #expect(fixture.run("--version").lines == ["fencepost \(FencepostTable.version)"])
    #expect(fixture.run().code == .misuse)
  }
}
