import FencepostCalendarModel
import FencepostJSON
import FencepostWebServer
import Synchronization

/// The pages that listen for events.
public final class EventHub: Sendable {
  /// An event for pages.
  public enum Event: Sendable {
    /// Items, lists or alarms have changed, up to this position in the change log.
    case change(Int64)
    /// An alarm went off: its line of JSON.
    case firing(String, id: String)
    /// Devices have moved.
    case positions
    /// Clients, sessions or their rights may have changed. Listeners get nothing, but those without access
    /// end.
    case access
  }

  private struct State {
    var streams: [(stream: HTTPEventStream, principal: Principal)] = []
    /// When pages last got a report of moving devices.
    var toldPositions = Instant.distantPast
  }

  private let state = Mutex(State())
  /// Minimum seconds between two reports of moving devices.
  private static let pause = 1.0
  /// The maximum number of streams of all listeners.
  static let maximum = 200
  /// The streams that the owner may have at any time, with those of pages for apps.
  static let reserved = 50

  /// Whether no page listens, so that there is nothing to prepare.
  public var isEmpty: Bool { state.withLock { $0.streams.isEmpty } }

  /// Adds a stream. If there are too many then, the oldest one of the listener with the most ends, so that no
  /// client ends the streams of another, or the owner's.
  func add(_ stream: HTTPEventStream, of principal: Principal) {
    let surplus: HTTPEventStream? = state.withLock { state in
      state.streams.removeAll { $0.stream.isClosed }
      state.streams.append((stream, principal))
      guard state.streams.count > Self.maximum else { return nil }
      // Those without a number are the owner's.
      var counts: [Int64?: Int] = [:]
      for (_, principal) in state.streams { counts[principal.number, default: 0] += 1 }
      if counts[nil, default: 0] <= Self.reserved { counts[nil] = nil }
      let most = counts.values.max()
      return state.streams.firstIndex { counts[$0.principal.number] == most }
        .map { state.streams.remove(at: $0).stream }
    }
    surplus?.close()
  }

  /// - Parameter isAllowed: Whether a listener may still listen.
  func send(_ event: Event, at now: Instant, isAllowed: (Principal) -> Bool) {
    let listeners: [(stream: HTTPEventStream, principal: Principal)] = state.withLock { state in
      state.streams.removeAll { $0.stream.isClosed }
      if case .positions = event {
        let passed = now.seconds(since: state.toldPositions)
        guard passed < 0 || passed >= Self.pause else { return [] }
        state.toldPositions = now
      }
      return state.streams
    }
    var known: [Principal: Bool] = [:]
    for (stream, principal) in listeners {
      let mayListen = known[principal] ?? isAllowed(principal)
      known[principal] = mayListen
      guard mayListen else {
        // So that it does not connect again, which would be refused.
        if principal.isPage { stream.send("end", data: "{}") }
        stream.close()
        continue
      }
      switch event {
      case .change(let number): stream.send("change", data: "{\"change\":\(number)}")
      case .access: break
      // An alarm may be of another list, and tells of devices.
      case _ where principal.isPage || principal.lists != nil: break
      case .firing(let line, let id): stream.send("firing", data: line, id: id)
      case .positions: stream.send("positions", data: "{}")
      }
    }
  }

  /// Ends the streams of one listener. It gets an event first, so that it does not reconnect.
  func close(_ principal: Principal.Way) {
    let streams = state.withLock { $0.streams }
    for (stream, listener) in streams where listener.way == principal {
      stream.send("end", data: "{}")
      stream.close()
    }
  }

  func close() {
    let streams = state.withLock { state in
      defer { state.streams = [] }
      return state.streams
    }
    for (stream, _) in streams { stream.close() }
  }
}
