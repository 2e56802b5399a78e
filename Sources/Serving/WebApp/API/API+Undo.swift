import FencepostAlarmEngine
import FencepostCalendarStore
import FencepostClients
import FencepostItems
import FencepostJSON
import FencepostWebServer

extension WebApp {
  private static let flippedStep = JSONSchema.object(
    ["label": .text, "step": .text, "own": .flag, "effects": .integer], and: OutputSchema.authorMembers)

  static let undoRoutes: [Route] = [
    Route(
      "GET", "/undo", .read,
      "What can be undone, the latest first, and who made it; of a client of some lists only its own changes",
      answer: .each(
        "steps",
        .object(
          ["label": .text, "step": .text, "own": .flag, "time": .moment, "undone": .flag],
          and: OutputSchema.authorMembers))
    ) { app, call in
      var (steps, clients) = try app.store.read { (try $0.undoSteps(), try $0.clientNumbers()) }
      if call.principal.lists != nil {
        // Others' labels name items that it may not see.
        steps.removeAll { $0.label.author != call.principal.author }
      }
      return app.list(
        "steps",
        steps.prefix(100).map { step in
          var line = app.line(of: step.label, for: call.principal, among: clients)
          line.add("time", app.firingLines.text(step.label.time))
          line.add("undone", step.isUndone)
          return line
        })
    },
    Route(
      "POST", "/undo", .write,
      "Undo the last change; with 'step' only if it is that one", body: .object(["step?": .text]),
      answer: flippedStep
    ) { app, call in
      let wanted = try call.json()["step"]?.text
      let (step, effects) = try app.store.write { writer in
        try app.check(call.principal, mayFlip: false, in: writer.reader)
        return try writer.undo(wanted)
      }
      return try app.response(step, effects, call.principal)
    },
    Route(
      "POST", "/redo", .write,
      "Do again what was undone last; with 'step' only if it is that one", body: .object(["step?": .text]),
      answer: flippedStep
    ) { app, call in
      let wanted = try call.json()["step"]?.text
      let (step, effects) = try app.store.write { writer in
        try app.check(call.principal, mayFlip: true, in: writer.reader)
        return try writer.redo(wanted)
      }
      return try app.response(step, effects, call.principal)
    },
  ]

  /// Checks that the next step is the sender's own, if it is a client: others' changes are not its to undo.
  ///
  /// - Parameter isUndone: Whether the step is to be redone.
  private func check(
    _ principal: Principal, mayFlip isUndone: Bool, in reader: borrowing StoreReader
  ) throws {
    guard principal.isClient else { return }
    // Undone ones come first, the next one to redo as the last of them.
    let steps = try reader.undoSteps().filter { $0.isUndone == isUndone }
    guard let next = isUndone ? steps.last : steps.first else { return }
    guard next.label.author == principal.author else {
      throw APIError.conflict("the last change was not made by '\(principal.name)'")
    }
  }

  private func response(
    _ step: UndoLabel, _ effects: [UndoEffect], _ principal: Principal
  ) throws -> HTTPResponse {
    var line = line(of: step, for: principal, among: try store.read { try $0.clientNumbers() })
    line.add("effects", effects.count)
    return .json(line.line)
  }

  /// A step: what was done, its key, and who did it.
  private func line(of step: UndoLabel, for principal: Principal, among clients: Set<Int64>) -> JSONLine {
    var line = JSONLine()
    line.add("label", step.command)
    line.add("step", step.run)
    line.add("own", step.author == principal.author)
    line.add(step.author, among: clients)
    return line
  }
}
