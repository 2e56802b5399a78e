import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostDaemonControl
import FencepostDiagnosis
import FencepostItems
import FencepostJSON
import FencepostWebServer
import Synchronization

/// Where alarms go.
extension WebApp {
  static let channelRoutes: [Route] = [
    Route(
      "GET", "/channels", .read, needsAllLists: true, "Where alarms go, and whether they arrived there",
      answer: .each("channels", channel)
    ) { app, _ in
      let facts = app.surroundings.doctorFacts()
      let histories = try app.store.read { try $0.channelHistories() }
      return app.list(
        "channels",
        facts.channels.map { channel in
          var line = JSONLine()
          line.add("name", channel.name)
          line.add("lists", channel.lists)
          line.add("setting", channel.setting.flatMap { app.removableChannels.contains($0) ? $0 : nil })
          let history = histories.first { $0.channel == channel.name }
          line.add("delivered", history?.lastSuccess.map(app.firingLines.text))
          line.add("failed", history?.lastFailure.map { app.firingLines.text($0.0) })
          line.add(
            "failure",
            facts.daemon?.channels.first { $0.address == channel.name }?.failure ?? history?.lastFailure?.1)
          line.add("pending", history?.pending ?? 0)
          return line
        })
    },
    Route(
      "POST", "/channels", .write, isOwners: true,
      "Add a channel to the settings; the daemon then delivers alarms to it",
      body: .object(["address": .text])
    ) { app, call in
      guard let address = try call.json()["address"]?.text, !address.isEmpty else {
        throw APIError.invalid("must be an address such as ntfy://ntfy.sh/TOPIC", pointer: "/address")
      }
      try WebApp.checkForPages(address)
      try app.change([SettingChange(name: "channels", value: .added(address))], pointer: "/address")
      return HTTPResponse(status: 204)
    },
    Route(
      "POST", "/channels/remove", .write, isOwners: true,
      "Remove a channel from the settings, by its 'setting'", body: .object(["setting": .text])
    ) { app, call in
      let wanted = try call.json()["setting"]?.text ?? ""
      guard app.removableChannels.contains(wanted) else {
        throw APIError.notFound("no channel '\(wanted)' in the settings file")
      }
      try app.change([SettingChange(name: "channels", value: .removed(wanted))], pointer: "/setting")
      return HTTPResponse(status: 204)
    },
    Route(
      "POST", "/channels/test", .write, isOwners: true, isSlow: true, "Send a test alarm over a channel",
      body: .object(["name": .text])
    ) { app, call in
      let name = try call.json()["name"]?.text ?? ""
      guard app.pushTests.withLock({ $0.take(of: name, at: .now) }) else {
        return APIError.problem(429, "Too many tests", "wait ten seconds").with(["Retry-After": "10"])
      }
      do {
        guard try app.surroundings.testChannel(name) else {
          throw APIError.notFound("no channel '\(name)'")
        }
        return HTTPResponse(status: 204)
      } catch let error as APIError {
        throw error
      } catch {
        return APIError.problem(502, "Not delivered", "\(error)")
      }
    },
  ]

  private static let channel = JSONSchema.object([
    "name": .text, "lists": .list(.text), "setting": JSONSchema.text.orNull,
    "delivered": JSONSchema.moment.orNull, "failed": JSONSchema.moment.orNull,
    "failure": JSONSchema.text.orNull, "pending": .integer,
  ])

  /// The channels of the settings file, as it shows them.
  private var removableChannels: [String] {
    surroundings.settings.filter { $0.name == "channels" && $0.isRemovable }.map(\.value)
  }

  /// Checks an address that came over the network: it must not name programs or files of this machine, whose
  /// contents would go out.
  private static func checkForPages(_ address: String) throws(APIError) {
    let scheme = address.prefix { $0 != ":" && $0 != "?" }.lowercased()
    let known = [
      "desktop", "webpush", "ntfy", "gotify", "matrix", "telegram", "https", "mqtt", "mqtts", "mailto",
    ]
    guard known.contains(scheme) else {
      throw .invalid(
        "here a channel is one of \(known.joined(separator: ", ")); add others with 'fencepost config channels --add'",
        pointer: "/address")
    }
    let words = address.split(separator: "?", maxSplits: 1).dropFirst().joined()
      .split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
    if let word = words.first(where: {
      $0.contains("file") || $0.contains("env") || $0.contains("%") || $0 == "sendmail"
    }) {
      throw .invalid(
        "'\(word)' can't be given here; add this channel with 'fencepost config channels --add' on the machine",
        pointer: "/address")
    }
  }
}
