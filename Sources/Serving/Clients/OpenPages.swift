public import FencepostCalendarModel
import FencepostCryptography
public import FencepostDaemonControl
public import FencepostSystem
public import FencepostWebServer
import Synchronization

/// The open pages that apps requested.
public final class OpenPages: Sendable {
  /// A page: its right, and its reports for the app.
  public final class Page: Sendable {
    /// Its name in addresses.
    public let id: String
    /// What it may show and change.
    public let right: PageRight
    /// Ready when the page needs attention: see ``takeReports()`` and ``deadline``.
    public let wakeUp: WakeUp

    private struct State {
      var reports: [PageReport] = []
      var isOver = false
      /// When the page is canceled if no browser shows it by then; `nil` while one does.
      var deadline: Instant?
      /// The number of event streams from browsers that show it.
      var listeners = 0
      /// When a browser said that it leaves, until its stream ends or another one begins.
      var left: Instant?
      /// Whether a change that ends the page is being made.
      var isClaimed = false
    }
    private let state: Mutex<State>

    fileprivate init(_ right: PageRight, until deadline: Instant) throws(SystemFailure) {
      id = String(Secret.key().text.prefix(22))
      self.right = right
      wakeUp = try WakeUp()
      state = Mutex(State(deadline: deadline))
    }

    /// When the page is canceled unless a browser shows it by then; `nil` while one does.
    public var deadline: Instant? { state.withLock { $0.isClaimed ? nil : $0.deadline } }

    /// Whether the page has ended.
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// The reports that the app has not received yet.
    public func takeReports() -> [PageReport] {
      wakeUp.clear()
      return state.withLock { state in
        defer { state.reports = [] }
        return state.reports
      }
    }

    /// Adds a report for the app. Drops reports after the one that ends the page.
    ///
    /// - Returns: False if the page was over.
    @discardableResult
    public func report(_ report: PageReport) -> Bool {
      let isKept = state.withLock { state in
        if state.isOver || state.isClaimed && !report.isChange { return false }
        // Only the last selection counts.
        if !report.isEnd { state.reports = [] }
        state.reports.append(report)
        state.isOver = report.isEnd
        return true
      }
      wakeUp.signal()
      return isKept
    }

    /// Begins a change that ends the page. Until ``release()`` there is no other one, and nothing cancels the
    /// page.
    ///
    /// - Returns: False if the page is over, or another change was begun.
    public func claim() -> Bool {
      state.withLock { state in
        guard !state.isOver, !state.isClaimed else { return false }
        state.isClaimed = true
        return true
      }
    }

    /// Ends a change, whether or not it was made.
    public func release() {
      state.withLock { $0.isClaimed = false }
      wakeUp.signal()
    }

    /// Notes that a browser shows the page and listens.
    public func began() {
      state.withLock { state in
        state.listeners += 1
        state.deadline = nil
        state.left = nil
      }
      wakeUp.signal()
    }

    /// Records that a browser no longer listens. It may connect again within some seconds, for example after
    /// a restart of the server.
    public func ended(at now: Instant) {
      state.withLock { state in
        state.listeners -= 1
        let hasLeft = state.left.map { now.seconds(since: $0) < OpenPages.reconnecting } ?? false
        state.left = nil
        let deadline = now.adding(seconds: hasLeft ? OpenPages.grace : OpenPages.reconnecting)
        if state.listeners <= 0 { state.deadline = min(state.deadline ?? deadline, deadline) }
      }
      wakeUp.signal()
    }

    /// Notes that a browser leaves the page. If it was the last one that listens and does not come back
    /// shortly, the page is canceled.
    public func left(at now: Instant) {
      state.withLock { state in
        if state.listeners > 0 {
          state.left = now
        } else {
          state.deadline = now.adding(seconds: OpenPages.grace)
        }
      }
      wakeUp.signal()
    }

    fileprivate func redeemed(at now: Instant) {
      state.withLock { $0.deadline = now.adding(seconds: OpenPages.loading) }
      wakeUp.signal()
    }
  }

  private struct Entry {
    var page: Page
    /// The digest of the secret in the browser's cookie, after the key was used.
    var digest: [UInt8]?
  }

  private let entries = Mutex<[String: Entry]>([:])
  private let keys: OneTimeKeys<Page>

  /// How many seconds a key works.
  public static let keySeconds = 60.0
  /// Seconds in which a browser that left can come back, for example after a reload.
  static let grace = 3.0
  /// Seconds in which a browser can connect again after its connection ended.
  static let reconnecting = 10.0
  /// Seconds in which a browser must show the page after it used the key.
  static let loading = 30.0
  /// More at the same time are a mistake.
  private static let most = 50
  /// So that one app leaves room for others.
  private static let maximumPagesOfApp = 10

  /// Creates an empty set of pages.
  public init() { keys = OneTimeKeys(seconds: OpenPages.keySeconds) }

  /// Opens a page.
  ///
  /// - Returns: The page and its key, which works once within ``keySeconds``.
  /// - Throws: ``ControlError/refused(_:)`` if too many are open.
  public func open(_ right: PageRight, at now: Instant) throws -> (page: Page, key: String, expires: Instant)
  {
    let page = try Page(right, until: now.adding(seconds: OpenPages.keySeconds))
    try entries.withLock { entries throws(ControlError) in
      let own = entries.values.count { $0.page.right.request.app == right.request.app }
      guard entries.count < OpenPages.most, own < OpenPages.maximumPagesOfApp else {
        throw .refused("too many pages are open; close some")
      }
      entries[page.id] = Entry(page: page)
    }
    let (key, expires) = keys.make(page, at: now)
    return (page, key, expires)
  }

  /// Closes a page: its right ends.
  public func close(_ page: Page) {
    page.report(.canceled)
    entries.withLock { $0[page.id] = nil }
  }

  /// Uses a key.
  ///
  /// - Returns: The page and the secret for the browser's cookie; `nil` if the key is wrong, used or too old.
  public func redeem(_ key: String, at now: Instant) -> (page: Page, secret: String)? {
    guard let page = keys.redeem(key, at: now), !page.isOver else { return nil }
    let secret = Secret.key()
    let isOpen = entries.withLock { entries in
      entries[page.id]?.digest = secret.digest
      return entries[page.id] != nil
    }
    guard isOpen else { return nil }
    page.redeemed(at: now)
    return (page, secret.text)
  }

  /// The page with a name; `nil` if it is over.
  public func page(_ id: String) -> Page? {
    guard let page = entries.withLock({ $0[id]?.page }), !page.isOver else { return nil }
    return page
  }

  /// A page in a browser, by the secret in its cookie; `nil` if it is wrong or the page is over.
  public func principal(_ id: String, secret: String) -> Principal? {
    guard let entry = entries.withLock({ $0[id] }), !entry.page.isOver, let digest = entry.digest,
      MessageDigest.areEqual(Secret.digest(of: secret), digest)
    else { return nil }
    return Principal(name: entry.page.right.request.app, way: .page(id), rights: [.read, .write])
  }
}
