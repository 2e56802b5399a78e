public import Foundation

/// Something that a person wants from an app.
open class INIntent: NSObject, NSCopying {
  /// An identifier that the app chooses.
  open var identifier: String?

  /// An intent.
  public override init() {}

  /// A new intent with the same identifier.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = INIntent()
    copy.identifier = identifier
    return copy
  }
}

/// An app's answer to an intent.
open class INIntentResponse: NSObject, NSCopying {
  /// The data that the app needs to continue.
  open var userActivity: NSUserActivity?

  /// An answer.
  public override init() {}

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
