import CLinux
import Glibc
import Threads

/// What other threads hand to the event loop: a queue of bounded length, and a descriptor that is ready when
/// something is in it.
final class Mailbox<Message: Sendable>: Sendable {
  /// Ready for reading when there are messages.
  let descriptor: Int32
  private let capacity: Int
  private struct Contents {
    var messages: [Message] = []
    var isSignalled = false
  }
  private let contents = Monitor(Contents())

  /// A mailbox for at most `capacity` messages.
  init(capacity: Int) throws(SystemFailure) {
    self.capacity = capacity
    descriptor = try SystemFailure.check(
      eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)), "make a mailbox")
  }

  deinit { close(descriptor) }

  /// Adds a message; waits while the mailbox is full, so that who sends too much is slowed down.
  func post(_ message: Message) { contents.wait { put(message, in: &$0) ? () : nil } }

  /// Adds a message, unless the mailbox is full: then false.
  func offer(_ message: Message) -> Bool { contents.withLock { put(message, in: &$0) } }

  private func put(_ message: Message, in contents: inout Contents) -> Bool {
    guard contents.messages.count < capacity else { return false }
    contents.messages.append(message)
    if !contents.isSignalled {
      contents.isSignalled = true
      var one: UInt64 = 1
      _ = write(descriptor, &one, 8)
    }
    return true
  }

  /// Takes all messages.
  func drain() -> [Message] {
    contents.update { contents in
      var count: UInt64 = 0
      _ = read(descriptor, &count, 8)
      contents.isSignalled = false
      defer { contents.messages.removeAll(keepingCapacity: true) }
      return contents.messages
    }
  }
}
