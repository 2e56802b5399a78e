import FencepostAlgorithms
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostJSON
import FencepostSpatiotemporal
import FencepostSystem
import Glibc

extension FencepostTable {
  static let open = Command(
    "open", summary: "Open a booking in its app, an event's page, or the web app",
    discussion: [
      """
      Without `ITEM` it opens the web app of the running daemon. `fencepost:PAGE`, such as `fencepost:agenda`, opens a \
      page of it. The path of an `.ics` file imports that file. So a desktop can open links and calendar files with it.
      """,
      """
      If an app donated the booking of an event, this starts the app's desktop file, with the booking as JSON in \
      `FENCEPOST_INTENT`. Without such an app, it opens the item's URL in the browser. In a pipe, prints what it would \
      run or open.
      """,
    ],
    examples: [
      Example("fencepost open Choir", "Show the booking, or the page"),
      Example("fencepost open ~/choir.ics", "Import a calendar file"),
    ],
    options: [.flag(.print, "Print it, and don't open it")],
    positionals: [
      Positional(
        .item, .optional, "The event: its identifier, or words of its title; or a link, or a file",
        completion: .program("items"))
    ],
    action: .look { try $0.openItem() })
}

extension CommandContext {
  /// `open [ITEM|LINK|FILE] [--print]`.
  func openItem() throws {
    guard let word = parsed.positionals(.item).first else { return try openPage("/") }
    if word.hasPrefix("fencepost:") {
      return try openPage("/" + word.dropFirst("fencepost:".count).drop { $0 == "/" })
    }
    if let path = Self.calendarFile(word) {
      // As its own step, which `undo` takes back.
      let code = Program(console: console).run(["import", path, "--store", try storePath()])
      guard code == .success else { throw code }
      if !json, !parsed.flag(.print) { try? openPage("/agenda") }
      return
    }
    let (item, donation) = try openStoreToRead().read { reader in
      let item = try reader.item(meant: word)
      return (item, try reader.donation(of: item.id))
    }
    if let donation, let entry = DesktopEntry(app: donation.app, environment: console.environment) {
      return try show(item, donation, in: entry)
    }
    guard let url = item.url, url.lowercased().hasPrefix("http") else {
      throw CommandError(
        donation.map { "'\(item.title)' has no URL, and \($0.app) has no desktop file" }
          ?? "'\(item.title)' has no URL, and is not a booking of an app")
    }
    if json {
      var line = JSONLine(type: "open")
      line.add("item", item.id.rawValue)
      line.add("url", url)
      return try console.print(line.line)
    }
    try console.print(url.withoutControls)
    if console.isTerminal && !parsed.flag(.print) { openInBrowser(url) }
  }

  /// Opens a page of the running daemon's web app; in a pipe, prints its address.
  private func openPage(_ path: String) throws {
    let key = try webKey()
    let address = path == "/" ? key.url : key.url + "&to=" + PercentEncoding.encode(path)
    let opens = hasBrowser && !parsed.flag(.print) && !json
    if !opens { return try console.print(address.withoutControls) }
    openInBrowser(address, isSecret: true)
  }

  /// The path of a word that names a calendar file, as a path or a `file:` address; `nil` for another word.
  private static func calendarFile(_ word: String) -> String? {
    let path =
      word.hasPrefix("file://")
      ? PercentEncoding.decode(word.dropFirst("file://".count).drop { $0 != "/" }) ?? word : word
    guard [".ics", ".ical", ".ifb", ".icalendar"].contains(where: path.lowercased().hasSuffix),
      access(path, R_OK) == 0
    else { return nil }
    return path
  }

  private func show(_ item: CalendarItem, _ donation: Donation, in entry: DesktopEntry) throws {
    var program = entry.program(opening: item.url)
    if json {
      var line = JSONLine(type: "open")
      line.add("item", item.id.rawValue)
      line.add("app", donation.app)
      line.add("program", [program.path] + program.arguments)
      line.add("intent", json: donation.intent)
      return try console.print(line.line)
    }
    try console.print((([program.path] + program.arguments).joined(separator: " ")).withoutControls)
    guard console.isTerminal, !parsed.flag(.print) else { return }
    program.variables["FENCEPOST_INTENT"] = donation.intent
    try program.launch()
  }

  /// Starts the user's browser with an address, without waiting for it. Reports a failure.
  ///
  /// - Parameter isSecret: Whether who knows the address can use it.
  func openInBrowser(_ address: String, isSecret: Bool = false) {
    let browser = BrowserProgram(environment: console.environment)
    do {
      try browser.open(address, isSecret: isSecret)
    } catch {
      console.say("\(error); open the address yourself")
    }
  }
}
