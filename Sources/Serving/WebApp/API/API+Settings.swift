import FencepostItems
import FencepostJSON
import FencepostWebServer

extension WebApp {
  static let settingRoutes: [Route] = [
    Route(
      "GET", "/settings", .write, needsAllLists: true, "The settings, and where each comes from",
      answer: .each("settings", setting)
    ) { app, _ in
      app.list("settings", app.surroundings.settings.map(WebApp.object))
    },
    Route(
      "PATCH", "/settings", .write, isOwners: true,
      "Change settings in the settings file; null gives one its default. The daemon then runs with them",
      body: .anything
    ) { app, call in
      guard let members = try call.json().members, !members.isEmpty else {
        throw APIError.invalid("must be an object such as {\"history\": \"30\"}")
      }
      let changes = try members.map { member in
        let pointer = "/\(member.key)"
        guard let known = app.surroundings.settings.first(where: { $0.name == member.key }) else {
          throw APIError.invalid("there is no setting '\(member.key)' here", pointer: pointer)
        }
        guard known.isChangeable else {
          throw APIError.forbidden(
            "'\(member.key)' can't be changed here (\(known.origin)); use 'fencepost config' on the machine")
        }
        let value = member.value
        guard value.isNull || value.text != nil || value.integer != nil else {
          throw APIError.invalid("must be a text, a number or null", pointer: pointer)
        }
        let text = value.text ?? value.integer.map { "\($0)" }
        // Pages name no files of this machine.
        if member.key == "streets", let text, !ShownSetting.streetsWords.contains(text) {
          throw APIError.invalid(
            "must be \(ShownSetting.streetsWords.joined(separator: " or ")); show a file with"
              + " 'fencepost config streets FILE' on the machine", pointer: pointer)
        }
        return SettingChange(name: member.key, value: text.map { .texts([$0]) } ?? .usual)
      }
      try app.change(changes, pointer: "/\(changes[0].name)")
      return HTTPResponse(status: 204)
    },
  ]

  /// Changes settings; a refusal is an answer for people.
  func change(_ settings: [SettingChange], pointer: String) throws(APIError) {
    do {
      try surroundings.changeSettings(settings)
    } catch let error as SettingsNotYetRead {
      throw .unavailable("\(error)")
    } catch {
      throw .invalid("\(error)", pointer: pointer)
    }
  }

  private static let setting = JSONSchema.object([
    "name": .text, "value": .text, "origin": .text, "default": .flag, "changeable": .flag,
  ])

  private static func object(_ setting: ShownSetting) -> JSONLine {
    var line = JSONLine()
    line.add("name", setting.name)
    line.add("value", setting.value)
    line.add("origin", setting.origin)
    line.add("default", setting.isUsual)
    line.add("changeable", setting.isChangeable)
    return line
  }
}
