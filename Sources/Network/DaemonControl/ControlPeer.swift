import FencepostJSON
public import FencepostSystem

/// The program at the other end of the control socket.
public struct ControlPeer: Sendable {
  let descriptor: Int32

  /// Sends a line. False if the program has ended or does not read.
  @discardableResult
  public func send(_ line: String) -> Bool {
    (try? DescriptorIO.send((line + "\n").utf8Span.span.bytes, to: descriptor)) != nil
  }

  /// Sends the reason for a refusal.
  public func refuse(_ words: String) {
    var line = JSONLine()
    line.add("error", words)
    send(line.line)
  }

  /// Waits until `interrupter` is ready or the deadline comes. Ready means that the program has ended.
  public func wait(until deadline: ContinuousClock.Instant?, interruptedBy interrupter: Int32)
    -> Readiness.Outcome
  {
    Readiness.wait(for: descriptor, until: deadline, interruptedBy: interrupter)
  }
}
