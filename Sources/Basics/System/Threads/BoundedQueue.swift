/// Messages from other threads to an event loop: a bounded queue, and a descriptor that is readable while
/// messages wait.
public final class BoundedQueue<Message: Sendable>: Sendable {
  /// Readable while there are messages.
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

  /// Adds a message. Waits while the mailbox is full, which slows down fast senders.
  public func post(_ message: Message) { contents.wait { put(message, in: &$0) ? () : nil } }

  /// Adds a message; returns false if the mailbox is full.
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

  /// Removes and returns all messages.
  public func drain() -> [Message] { drain { _ in true } }

  /// Removes and returns the messages for which `isWanted` is true. After that ``descriptor`` is not readable
  /// until another message comes, even if some are left.
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
