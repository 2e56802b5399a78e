import CFencepostLinux
import Glibc

/// Sleeps until a descriptor is ready, and calls its handler: epoll(7). Use it from one thread.
public final class EventLoop {
  private let epoll: Int32
  private var handlers: [Int32: (UInt32) -> Void] = [:]
  private var isStopped = false

  /// A loop without descriptors.
  public init() throws(SystemFailure) {
    epoll = try SystemFailure.check(epoll_create1(Int32(EPOLL_CLOEXEC)), "wait for events")
  }

  deinit { close(epoll) }

  /// Calls `handler` whenever `descriptor` is readable or its peer is closed.
  public func watch(_ descriptor: Int32, _ handler: @escaping (_ events: UInt32) -> Void)
    throws(SystemFailure)
  {
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: descriptor))
    _ = try SystemFailure.check(
      epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event), "watch a descriptor")
    handlers[descriptor] = handler
  }

  /// Removes a descriptor. The caller closes it.
  public func forget(_ descriptor: Int32) {
    handlers[descriptor] = nil
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Ends ``run(after:)`` after the pending events.
  public func stop() { isStopped = true }

  /// Handles events until ``stop()``. Calls `after` after each batch.
  public func run(after: () -> Void) throws(SystemFailure) {
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    while !isStopped {
      let count = epoll_wait(epoll, &events, Int32(events.count), -1)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemFailure("wait for events")
      }
      for event in events.prefix(Int(count)) { handlers[event.data.fd]?(event.events) }
      after()
    }
  }
}
