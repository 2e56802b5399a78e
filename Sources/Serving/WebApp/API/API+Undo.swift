import FencepostAlarmEngine
import FencepostCalendarStore
import FencepostItems
import FencepostJSON
import FencepostWebServer

extension WebApp {
  static let undoRoutes: [Route] = [
    Route(
      "GET", "/undo", .read,
      "What can be undone, the latest first; of a client of some lists only its own changes",
      answer: .each("steps", .object(["label": .text, "step": .text, "time": .moment, "undone": .flag]))
    ) { app, call in
      var steps = try app.store.read { try $0.undoSteps() }
      if call.principal.lists != nil {
        // Others' labels name items that it may not see.
        steps.removeAll { !$0.label.command.hasPrefix(WebApp.labels(of: call.principal)) }
      }
      return app.list(
        "steps",
        steps.prefix(100).map { step in
          var line = JSONLine()
          line.add("label", step.label.command)
          line.add("step", step.label.run)
          line.add("time", app.firingLines.text(step.label.time))
          line.add("undone", step.isUndone)
          return line
        })
    },
    Route(
      "POST", "/undo", .write,
      "Undo the last change; with 'step' only if it is that one", body: .object(["step?": .text]),
      answer: .object(["label": .text, "step": .text, "effects": .integer])
    ) { app, call in
      let wanted = try call.json()["step"]?.text
      let (step, effects) = try app.store.write { writer in
        try app.check(call.principal, mayFlip: false, in: writer.reader)
        return try writer.undo(wanted)
      }
      return app.response(step, effects)
    },
    Route(
      "POST", "/redo", .write,
      "Do again what was undone last; with 'step' only if it is that one", body: .object(["step?": .text]),
      answer: .object(["label": .text, "step": .text, "effects": .integer])
    ) { app, call in
      let wanted = try call.json()["step"]?.text
      let (step, effects) = try app.store.write { writer in
        try app.check(call.principal, mayFlip: true, in: writer.reader)
        return try writer.redo(wanted)
      }
      return app.response(step, effects)
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
    guard next.label.command.hasPrefix(Self.labels(of: principal)) else {
      throw APIError.conflict("the last change was not made by '\(principal.name)'")
    }
  }

  private func response(_ step: UndoLabel, _ effects: [UndoEffect]) -> HTTPResponse {
    var line = JSONLine()
    line.add("label", step.command)
    line.add("step", step.run)
    line.add("effects", effects.count)
    return .json(line.line)
  }
}
