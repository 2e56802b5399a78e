public import CalendarModel
import Cryptography
public import DaemonControl
import Synchronization
public import System
public import WebServer

/// The pages that apps asked for and that are not over.
public final class OpenPages: Sendable {
  /// A page: what it may do, and what it has to tell the app.
  public final class Page: Sendable {
    /// Its name in addresses.
    public let id: String
    /// What it may show and change.
    public let right: PageRight
    /// Ready when there is something to do for the page: see ``takeReports()`` and ``deadline``.
    public let wakeUp: WakeUp

    private struct State {
      var reports: [PageReport] = []
      var isOver = false
      /// When the page is canceled unless a browser shows it by then; `nil` while one does.
      var deadline: Instant?
      /// The streams by which browsers that show it listen.
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

    /// Whether nothing more can be done in it.
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// What the app was not told yet.
    public func takeReports() -> [PageReport] {
      wakeUp.clear()
      return state.withLock { state in
        defer { state.reports = [] }
        return state.reports
      }
    }

    /// Keeps a report for the app. After the one that ends the page, others are dropped.
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

    /// Begins a change that ends the page. Until ``release()`` there is no other one, and nothing cancels the page.
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

    /// Notes that a browser no longer listens. It may connect again within some seconds, for example after the
    /// server was replaced.
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

    /// Notes that a browser leaves the page. If it was the last one that listens and does not come back shortly, the page
    /// is canceled.
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
    /// The digest of the secret in the browser's cookie, once the key was used.
    var digest: [UInt8]?
  }

  private let entries = Mutex<[String: Entry]>([:])
  private let keys: OneTimeKeys<Page>

  /// Seconds that a key works.
  public static let keySeconds = 60.0
  /// Seconds that a browser has to come back after it left, as for a reload.
  static let grace = 3.0
  /// Seconds that a browser has to connect again after its connection ended.
  static let reconnecting = 10.0
  /// Seconds that a browser has to show the page after it used the key.
  static let loading = 30.0
  /// More at once are a mistake.
  private static let most = 50

  /// No pages yet.
  public init() { keys = OneTimeKeys(seconds: OpenPages.keySeconds) }

  /// Opens a page.
  ///
  /// - Returns: The page and its key, which works once within ``keySeconds``.
  /// - Throws: ``ControlError/refused(_:)`` where too many are open.
  public func open(_ right: PageRight, at now: Instant) throws -> (page: Page, key: String, expires: Instant)
  {
    let page = try Page(right, until: now.adding(seconds: OpenPages.keySeconds))
    try entries.withLock { entries throws(ControlError) in
      guard entries.count < OpenPages.most else { throw .refused("too many pages are open; close some") }
      entries[page.id] = Entry(page: page)
    }
    let (key, expires) = keys.make(page, at: now)
    return (page, key, expires)
  }

  /// Forgets a page: its right ends.
  public func close(_ page: Page) {
    page.report(.canceled)
    entries.withLock { $0[page.id] = nil }
  }

  /// Uses a key.
  ///
  /// - Returns: The page and the secret for the browser's cookie; `nil` where the key is wrong, was used, or is too old.
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
