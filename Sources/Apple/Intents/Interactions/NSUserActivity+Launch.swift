import FencepostJSON
import Foundation

extension NSUserActivity {
  /// The environment variable with the intent of a program that `fencepost open` started.
  static let launchVariable = "FENCEPOST_INTENT"

  /// Why this program was started: the user opened a reservation that it donated. ``interaction`` has the
  /// intent. `nil` if the program was started in another way.
  ///
  /// Fencepost's own; Apple's systems pass the activity to the app's delegate.
  public static var launching: NSUserActivity? {
    ProcessInfo.processInfo.environment[launchVariable].flatMap(launching(with:))
  }

  static func launching(with text: String) -> NSUserActivity? {
    guard let json = try? JSONValue(readingCommented: Array(text.utf8), maxDepth: 8),
      let name = json["intent"]?.text
    else { return nil }
    func reference(_ value: JSONValue?) -> INSpeakableString? {
      guard let phrase = value?["phrase"]?.text else { return nil }
      let hint = value?["pronunciation"]?.text
      return value?["identifier"]?.text.map {
        INSpeakableString(vocabularyIdentifier: $0, spokenPhrase: phrase, pronunciationHint: hint)
      } ?? INSpeakableString(spokenPhrase: phrase)
    }
    let intent = INGetReservationDetailsIntent(
      reservationContainerReference: reference(json["container"]),
      reservationItemReferences: json["items"]?.list?.compactMap(reference))
    intent.identifier = json["identifier"]?.text
    let activity = NSUserActivity(activityType: name)
    activity.webpageURL = json["url"]?.text.flatMap { URL(string: $0) }
    activity.interaction = INInteraction(intent: intent, response: nil)
    return activity
  }
}
