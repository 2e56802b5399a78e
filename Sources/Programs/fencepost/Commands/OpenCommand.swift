import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostJSON
import FencepostSystem

extension FencepostTable {
  static let open = Command(
    "open", summary: "Open a booking in its app, or an event's page",
    discussion: [
      """
      If an app donated the booking of an event, this starts the app's desktop file, with the booking as JSON in \
      `FENCEPOST_INTENT`. Without such an app, it opens the item's URL in the browser. In a pipe, prints what it would \
      run or open.
      """
    ],
    examples: [Example("fencepost open Choir", "Show the booking, or the page")],
    options: [.flag(.print, "Print it, and don't open it")],
    positionals: [
      Positional(
        .item, .required, "The event: its identifier, or words of its title", completion: .program("items"))
    ],
    action: .run(isUndoable: false) { try $0.openItem() })
}

extension CommandContext {
  /// `open ITEM [--print]`.
  func openItem() throws {
    let word = try parsed.required(.item)
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
    try console.print(FiringTable.plain(url))
    if console.isTerminal && !parsed.flag(.print) { openInBrowser(url) }
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
    try console.print(FiringTable.plain(([program.path] + program.arguments).joined(separator: " ")))
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
