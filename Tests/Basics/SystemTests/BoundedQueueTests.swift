import FencepostSystem
import Testing

@Suite struct MailboxTests {
  private func isReady(_ mailbox: BoundedQueue<Int>) -> Bool {
    Readiness.now(mailbox.descriptor).contains(.readable)
  }

  @Test("Taking some messages leaves the others in order, and wakes no thread")
  func some() throws {
    let mailbox = try BoundedQueue<Int>(capacity: 4)
    for number in 1...4 { mailbox.post(number) }
    #expect(!mailbox.offer(5))
    #expect(isReady(mailbox))
    #expect(mailbox.drain { $0.isMultiple(of: 2) } == [2, 4])
    #expect(!isReady(mailbox))
    #expect(mailbox.offer(6))
    #expect(isReady(mailbox))
    #expect(mailbox.drain() == [1, 3, 6])
    #expect(!isReady(mailbox))
    #expect(mailbox.drain().isEmpty)
  }
}
