import FencepostAlarmEngine
import FencepostCalendarStore
import FencepostJSON
import FencepostWebServer

extension WebApp {
  static let undoRoutes: [Route] = [
    Route(
      "GET", "/undo", .read, needsAllLists: true, "What can be undone, the latest first",
      answer: .each("steps", .object(["label": .text, "step": .text, "time": .moment, "undone": .flag]))
    ) { app, _ in
      let steps = try app.store.read { try $0.undoSteps() }
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
      "POST", "/undo", .write, needsAllLists: true,
      "Undo the last change; with 'step' only if it is that one", body: .object(["step?": .text]),
      answer: .object(["label": .text, "step": .text, "effects": .integer])
    ) { app, call in
      let wanted = try call.json()["step"]?.text
      let (step, effects) = try app.store.write { try $0.undo(wanted) }
      return app.response(step, effects)
    },
    Route(
      "POST", "/redo", .write, needsAllLists: true,
      "Do again what was undone last; with 'step' only if it is that one", body: .object(["step?": .text]),
      answer: .object(["label": .text, "step": .text, "effects": .integer])
    ) { app, call in
      let wanted = try call.json()["step"]?.text
      let (step, effects) = try app.store.write { try $0.redo(wanted) }
      return app.response(step, effects)
    },
  ]

  private func response(_ step: UndoLabel, _ effects: [UndoEffect]) -> HTTPResponse {
    var line = JSONLine()
    line.add("label", step.command)
    line.add("step", step.run)
    line.add("effects", effects.count)
    return .json(line.line)
  }
}
