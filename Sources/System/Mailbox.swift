/// What other threads hand to the event loop: a queue of bounded length, and a descriptor that is ready when
/// something is in it.
public final class Mailbox<Message: Sendable>: Sendable {
  /// Ready for reading when there are messages.
  public var descriptor: Int32 { wakeUp.descriptor }
  private let wakeUp: WakeUp
  private let capacity: Int
  private struct Contents {
    var messages: [Message] = []
    var isSignalled = false
  }
  private let contents = Monitor(Contents())

  /// A mailbox for at most `capacity` messages.
  public init(capacity: Int) throws(SystemFailure) {
    self.capacity = capacity
    wakeUp = try WakeUp()
  }

  /// Adds a message; waits while the mailbox is full, so that who sends too much is slowed down.
  public func post(_ message: Message) { contents.wait { put(message, in: &$0) ? () : nil } }

  /// Adds a message, unless the mailbox is full: then false.
  public func offer(_ message: Message) -> Bool { contents.withLock { put(message, in: &$0) } }

  private func put(_ message: Message, in contents: inout Contents) -> Bool {
    guard contents.messages.count < capacity else { return false }
    contents.messages.append(message)
    if !contents.isSignalled {
      contents.isSignalled = true
      wakeUp.signal()
    }
    return true
  }

  /// Takes all messages.
  public func drain() -> [Message] { drain { _ in true } }

  /// Takes the messages that `isWanted` names. ``descriptor`` is not ready any more until another one comes, though some
  /// may be left.
  public func drain(where isWanted: (Message) -> Bool) -> [Message] {
    contents.update { contents in
      wakeUp.clear()
      contents.isSignalled = false
      let wanted = contents.messages.filter(isWanted)
      contents.messages.removeAll(where: isWanted)
      return wanted
    }
  }
}
