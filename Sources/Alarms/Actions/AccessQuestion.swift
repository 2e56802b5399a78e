package import FencepostCalendarModel
package import FencepostCalendarStore

/// A request of an app that waits for the owner's answer.
package struct AccessQuestion: Hashable, Sendable {
  /// The app's key in the decisions.
  package let app: String
  /// What it asks access to.
  package let subject: AccessSubject
  /// What is known of the app; `nil` for a program that opened the file.
  package let known: KnownApp?
  /// Whether it may add already, and asks for full access.
  package let asksForMore: Bool

  /// A question.
  package init(app: String, subject: AccessSubject, known: KnownApp?, asksForMore: Bool = false) {
    self.app = app
    self.subject = subject
    self.known = known
    self.asksForMore = asksForMore
  }

  /// The answers that it can have, without the one to answer later.
  package var answers: [AccessLevel] {
    Self.addable(app).contains(subject) ? [.full, .writeOnly, .denied] : [.full, .denied]
  }

  /// What an app can add to without seeing it. Apple's API has no such access to reminders, but agents do.
  package static func addable(_ app: String) -> [AccessSubject] {
    app.hasPrefix(AccessDecision.agentPrefix) ? [.events, .reminders] : [.events]
  }

  /// Who asks for what, in one sentence. The name is the one that the system knows, not the app's own.
  package var title: String {
    asksForMore
      ? "\(app.withoutControls) has “Only add” for your \(subject.word), and asks for “Full access”."
      : "\(app.withoutControls) asks for access to your \(subject.word)."
  }

  /// The app's own words, as a quotation, and what the system knows of it: one sentence each.
  package var details: [String] {
    guard let known else { return [] }
    let reason = known.reason.map { " and says: “\(Self.quoted($0))”" } ?? ""
    let strength =
      switch known.strength {
      case "confined": "The system confines it."
      case "agent": "It is an agent; the answer holds for each that starts with this name."
      case "program": "It is a program of the system; other programs of yours can use it."
      default: "It is a program that you can replace; the answer holds for this file as it is."
      }
    return ["It calls itself “\(Self.quoted(known.claim))”\(reason).", strength]
  }

  /// The most characters of an app's own words. A longer text could push the rest out of sight.
  private static let maximumQuotation = 300

  /// Words of an app, which can't end their quotation.
  private static func quoted(_ words: String) -> String {
    let plain = words.withoutControls.map { "“”".contains($0) ? "'" : $0 }
    return String(plain.prefix(maximumQuotation)) + (plain.count > maximumQuotation ? " …" : "")
  }
}

extension StoreReader {
  /// The requests that wait for an answer, in the order of the apps' names.
  package func accessQuestions() throws(StoreError) -> [AccessQuestion] {
    try accessOfApps(where: \.isWaiting).compactMap { decision, app in
      AccessSubject(rawValue: decision.entity).map {
        AccessQuestion(
          app: decision.app, subject: $0, known: app,
          asksForMore: decision.status == AccessLevel.writeOnly.rawValue)
      }
    }
  }

  /// The decisions on apps that are wanted, by app, each with what is known of the app.
  package func accessOfApps(
    where isWanted: (AccessDecision) -> Bool = { _ in true }
  ) throws(StoreError) -> [(decision: AccessDecision, app: KnownApp?)] {
    let decisions = try accessDecisions().filter(isWanted)
    guard !decisions.isEmpty else { return [] }
    let apps = Dictionary(try knownApps().map { ($0.key, $0) }) { first, _ in first }
    return decisions.map { ($0, apps[$0.app]) }
  }
}

extension StoreWriter {
  /// Answers a request, if nobody has answered it yet.
  ///
  /// - Returns: The decision; `nil` if the app was no longer waiting.
  package func answer(
    _ question: AccessQuestion, _ level: AccessLevel, at now: Instant
  ) throws(StoreError) -> AccessDecision? {
    let waiting = try reader.accessDecision(app: question.app, entity: question.subject.rawValue)
    guard let waiting, waiting.isWaiting, question.answers.contains(level) else { return nil }
    return try decide(level, on: question.app, question.subject, at: now)
  }

  /// Decides what an app may do, whether it waits or not.
  @discardableResult
  package func decide(
    _ level: AccessLevel, on app: String, _ subject: AccessSubject, at now: Instant
  ) throws(StoreError) -> AccessDecision {
    let known = try reader.accessDecision(app: app, entity: subject.rawValue)
    let decision =
      (known ?? AccessDecision(app: app, entity: subject.rawValue, status: level.rawValue, decided: now))
      .answered(level, at: now)
    try save(decision)
    return decision
  }
}
