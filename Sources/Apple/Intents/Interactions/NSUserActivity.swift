import FencepostJSON
public import Foundation

/// A person's activity in an app. Part of Foundation on Apple's systems.
///
/// Nothing here indexes activities or passes them to other devices.
open class NSUserActivity: NSObject {
  /// The kind of the activity.
  public let activityType: String
  /// Its title.
  open var title: String?
  /// The data that the app needs to continue it.
  open var userInfo: [AnyHashable: Any]?
  /// The keys of ``userInfo`` that are needed to continue it. Other entries may be dropped.
  open var requiredUserInfoKeys: Set<String>?
  /// A web page with the same content; `http` or `https`.
  open var webpageURL: URL?
  /// The interaction that the activity is about.
  open var interaction: INInteraction?

  /// An activity.
  public init(activityType: String) { self.activityType = activityType }

  /// Adds to ``userInfo``.
  open func addUserInfoEntries(from other: [AnyHashable: Any]) {
    userInfo = (userInfo ?? [:]).merging(other) { $1 }
  }
}

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
