import FencepostActions
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostItems
import FencepostJSON
import FencepostWebServer

/// Apps and agents on this machine, and what they may do with the store.
extension WebApp {
  static let appRoutes: [Route] = [
    Route(
      "GET", "/apps", .read, isOwners: true, "What apps and agents may do, and which of them wait",
      answer: .each("apps", .named("Access"))
    ) { app, _ in
      app.list(
        "apps",
        try app.store.read { try $0.accessOfApps() }.map { decision, known in
          let answers =
            AccessSubject(rawValue: decision.entity).map {
              AccessQuestion(app: decision.app, subject: $0, known: known).answers
            } ?? []
          return StoreJSON.object(decision, known, answers: answers)
        })
    },
    Route(
      "PUT", "/apps/{app}/{entity}", .write, isOwners: true,
      "Decide what an app may do with events, reminders or the location",
      body: .object(["access": .words("full", "write-only", "denied")]), answer: .named("Access")
    ) { app, call in
      let subject = AccessSubject.allCases.first { $0.word == call["entity"] }
      guard let subject,
        try app.store.read({ try $0.accessDecision(app: call["app"], entity: subject.rawValue) }) != nil
      else { throw APIError.notFound("no app '\(call["app"])' with a request for \(call["entity"])") }
      let question = AccessQuestion(app: call["app"], subject: subject, known: nil)
      let word = try call.json()["access"]?.text
      guard let level = question.answers.first(where: { $0.word == word }) else {
        let words = question.answers.map(\.word).joined(separator: ", ")
        throw APIError.invalid("must be one of \(words)", pointer: "/access")
      }
      let now = app.clock()
      let decision = try app.store.write { try $0.decide(level, on: question.app, subject, at: now) }
      return .json(StoreJSON.object(decision, nil, answers: question.answers).line)
    },
    Route(
      "DELETE", "/apps/{app}", .write, isOwners: true,
      "Forget the decisions on an app, so that it asks again"
    ) { app, call in
      try app.store.write { try $0.removeAccessDecisions(app: call["app"]) }
      return HTTPResponse(status: 204)
    },
  ]
}
