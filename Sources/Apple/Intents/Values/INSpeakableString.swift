public import Foundation

/// A phrase for people, with the app's identifier for it.
open class INSpeakableString: NSObject, NSCopying {
  /// The app's identifier.
  public let vocabularyIdentifier: String?
  /// The phrase.
  public let spokenPhrase: String
  /// The pronunciation of the phrase.
  public let pronunciationHint: String?

  /// A phrase with an identifier.
  public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
    self.vocabularyIdentifier = vocabularyIdentifier
    self.spokenPhrase = spokenPhrase
    self.pronunciationHint = pronunciationHint
  }

  /// A phrase.
  public init(spokenPhrase: String) {
    vocabularyIdentifier = nil
    self.spokenPhrase = spokenPhrase
    pronunciationHint = nil
  }

  /// The older name of ``init(vocabularyIdentifier:spokenPhrase:pronunciationHint:)``.
  @available(*, deprecated, renamed: "init(vocabularyIdentifier:spokenPhrase:pronunciationHint:)")
  public convenience init(identifier: String, spokenPhrase: String, pronunciationHint: String?) {
    self.init(
      vocabularyIdentifier: identifier, spokenPhrase: spokenPhrase, pronunciationHint: pronunciationHint)
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True for an equal phrase with the same identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? INSpeakableString else { return false }
    return vocabularyIdentifier == other.vocabularyIdentifier && spokenPhrase == other.spokenPhrase
      && pronunciationHint == other.pronunciationHint
  }

  /// Hashes the phrase.
  open override var hash: Int { spokenPhrase.hashValue }
}
