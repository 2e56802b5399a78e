import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostConferences
import FencepostConfiguration
import FencepostJSON

extension CommandContext {
  var conferenceProviders: [ConferenceProvider] {
    ConferenceProvider.installed(in: StandardPaths(environment: console.environment).dataDirectories)
  }

  /// `conferences [PROVIDER]`.
  func listConferences() throws {
    guard let word = parsed.positional(.provider) else {
      var table = TextTable(context: self, whole: [0])
      for provider in conferenceProviders {
        var line = JSONLine(type: "provider")
        line.add("id", provider.id)
        line.add("name", provider.name)
        if json { try console.print(line.line) } else { table.add([provider.id, provider.name]) }
      }
      for line in table.lines { try console.print(line) }
      if conferenceProviders.isEmpty { console.say("No program for conferences is installed.") }
      return
    }
    var table = TextTable(context: self, whole: [0])
    for type in try provider(word).roomTypes() {
      var line = JSONLine(type: "room-type")
      line.add("id", type.id)
      line.add("title", type.title)
      if json { try console.print(line.line) } else { table.add([type.id, type.title]) }
    }
    for line in table.lines { try console.print(line) }
  }

  /// The room that `--conference PROVIDER[:ROOM]` asks for.
  func conferenceRoom() throws -> ConferenceProvider.Room? {
    guard let word = parsed.value(.conference) else { return nil }
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    let provider = try provider(parts.first ?? "")
    if parts.count == 2 { return try provider.room(parts[1]) }
    let types = try provider.roomTypes()
    guard let first = types.first else { throw CommandError("\(provider.name) has no rooms") }
    guard types.count > 1 else { return try provider.room(first.id) }
    let choices = types.map { "\n  --conference \(provider.id):\($0.id)  (\($0.title))" }
    throw CommandError("\(provider.name) has several rooms; choose one:\(choices.joined())")
  }

  private func provider(_ id: String) throws -> ConferenceProvider {
    let installed = conferenceProviders
    if let provider = installed.first(where: { $0.id == id }) { return provider }
    let names = installed.map(\.id).joined(separator: ", ")
    throw CommandError(
      "no provider '\(id)' of conferences" + (names.isEmpty ? "; none is installed" : "; there are: \(names)")
    )
  }
}
