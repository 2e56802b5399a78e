import System
import Testing

@Suite struct MailboxTests {
  private func isReady(_ mailbox: Mailbox<Int>) -> Bool {
    Readiness.now(mailbox.descriptor).contains(.readable)
  }

  @Test("Some messages can be taken; the others stay, in their order, and make nobody look again")
  func some() throws {
    let mailbox = try Mailbox<Int>(capacity: 4)
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
