/// What is done with a reservation of a mail.
enum BookingStep: Hashable {
  /// Nothing: it was read before, or something newer says the same.
  case leave
  /// It is kept unseen until its booking comes: a cancellation or a ticket.
  case remember
  /// It becomes a suggestion.
  case propose
  /// Nothing new of what is known.
  case confirm
  /// What is known of it changes.
  case update

  /// - Parameters:
  ///   - isKnown: Whether there are suggestions that it is about.
  ///   - isSeen: Whether it was read before.
  ///   - isPage: Whether it is of a page: what that says again, it says now.
  ///   - isFragment: Whether it is nothing without its booking.
  ///   - isCovered: Whether a cancellation that waits makes it needless. One of a provider is enough, until its
  ///     date: numbers are used again.
  init(isKnown: Bool, isSeen: Bool, isPage: Bool, isFragment: Bool, isCovered: Bool) {
    self =
      switch (isKnown, isSeen) {
      case (true, true): isPage ? .update : .confirm
      case (true, false): .update
      case (false, true): .leave
      case (false, false): !isFragment ? .propose : isCovered ? .leave : .remember
      }
  }
}
