import CLinux
import Foundation
import Glibc

/// What other threads hand to the event loop: a queue of bounded length, and a descriptor that is ready when
/// something is in it.
///
/// `@unchecked Sendable`: `messages`, `isOpen` and `isSignalled` are reached only under `condition`.
final class Mailbox<Message: Sendable>: @unchecked Sendable {
  /// Ready for reading when there are messages.
  let descriptor: Int32
  private let condition = NSCondition()
  private let capacity: Int
  private var messages: [Message] = []
  private var isSignalled = false

  /// A mailbox for at most `capacity` messages.
  init(capacity: Int) throws(SystemFailure) {
    self.capacity = capacity
    descriptor = try SystemFailure.check(
      eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)), "make a mailbox")
  }

  deinit { close(descriptor) }

  /// Adds a message; waits while the mailbox is full, so that who sends too much is slowed down.
  func post(_ message: Message) {
    condition.lock()
    defer { condition.unlock() }
    while messages.count >= capacity { condition.wait() }
    put(message)
  }

  /// Adds a message, unless the mailbox is full: then false.
  func offer(_ message: Message) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard messages.count < capacity else { return false }
    put(message)
    return true
  }

  private func put(_ message: Message) {
    messages.append(message)
    guard !isSignalled else { return }
    isSignalled = true
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Takes all messages.
  func drain() -> [Message] {
    condition.lock()
    defer { condition.unlock() }
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
    isSignalled = false
    let taken = messages
    messages.removeAll(keepingCapacity: true)
    condition.broadcast()
    return taken
  }
}
