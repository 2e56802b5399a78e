public import EventKit
import FencepostDaemonControl
import FencepostItems
import FencepostJSON
public import FencepostViewControllers
public import Foundation

/// How the user left the editor.
public enum EKEventEditViewAction: Int, Sendable {
  /// The user saved nothing.
  case canceled = 0
  /// The event was saved.
  case saved = 1
  /// The event was deleted.
  case deleted = 2

  /// The older spelling of ``canceled``.
  @available(*, deprecated, renamed: "canceled")
  public static var cancelled: EKEventEditViewAction { .canceled }
}

/// An editor for a new or an existing event: a page of Fencepost's web app, in the user's browser.
///
/// It needs no access to events: without full access, the app does not see what the user saves. Present it,
/// and dismiss it in ``EKEventEditViewDelegate/eventEditViewController(_:didCompleteWith:)``. An existing
/// event needs full access.
open class EKEventEditViewController: UINavigationController {
  /// The receiver of the outcome.
  open weak var editViewDelegate: (any EKEventEditViewDelegate)?
  /// The store. Set it before you present the editor.
  open var eventStore: EKEventStore!
  /// The event; `nil` for a new one.
  open var event: EKEvent?
  private var session: PageSession?

  /// An editor.
  public override init() { super.init() }

  /// An editor. Both arguments are ignored.
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  /// Not available: there are no interface files.
  public required init?(coder: NSCoder) { nil }

  /// Opens the page.
  open override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    session = PageSession(request, at: eventStore?.daemonSocket) { [weak self] in self?.complete($0) }
  }

  /// Closes the page.
  open override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    end()
  }

  /// Closes the page, and reports to the delegate that it was canceled.
  open func cancelEditing() {
    guard session != nil else { return }
    complete(.canceled)
  }

  private func end() {
    session?.end()
    session = nil
  }

  private func complete(_ report: PageReport) {
    guard session != nil else { return }
    let action: EKEventEditViewAction
    switch report {
    case .selection: return
    case .saved(let item):
      if let event {
        event.adoptSaved(item)
      } else {
        event = eventStore.event(withIdentifier: item)
      }
      action = .saved
    case .deleted:
      event?.adoptDeletion()
      action = .deleted
    case .done, .canceled: action = .canceled
    }
    end()
    editViewDelegate?.eventEditViewController(self, didCompleteWith: action)
  }

  private var request: PageRequest {
    var request = PageRequest(.edit, app: eventStore?.appName ?? "")
    guard let eventStore else { return request }
    let asked =
      event?.calendar ?? editViewDelegate?.eventEditViewControllerDefaultCalendar(forNewEvents: self)
    request.list = asked?.storedIdentifier
    guard let event else { return request }
    request.item = event.storedIdentifier
    let lines = ItemJSON(resolver: eventStore.resolver)
    request.occurrence = event.seriesOccurrence.map(lines.text)
    if request.item == nil || event.hasChanges { request.draft = draft(of: event, lines) }
    return request
  }

  /// The fields of the page's form.
  private static let fields: Set<String> = [
    "title", "start", "end", "all_day", "time_zone", "location", "place", "tags", "notes", "url", "repeat",
    "alarms",
    "availability", "conferences",
  ]

  private func draft(of event: EKEvent, _ lines: ItemJSON) -> JSONValue? {
    let line = lines.wholeObject(event.draft, in: nil).line
    guard var json = try? JSONValue(readingCommented: Array(line.utf8), maxDepth: 16) else { return nil }
    // A new event has no times until the app sets them, and the request names its calendar separately.
    var fields = Self.fields
    if event.startDate == nil || event.endDate == nil { fields.subtract(["start", "end", "all_day"]) }
    if event.storedIdentifier != nil, event.calendar?.storedIdentifier != nil { fields.insert("list_id") }
    json.content = .object((json.members ?? []).filter { fields.contains($0.key) })
    return json
  }
}

/// Receives the outcome of an ``EKEventEditViewController``.
@MainActor public protocol EKEventEditViewDelegate: UINavigationControllerDelegate {
  /// Called on the main queue when the user saved, deleted or canceled. Dismiss the controller here.
  func eventEditViewController(
    _ controller: EKEventEditViewController, didCompleteWith action: EKEventEditViewAction)
  /// The initial calendar of a new event. Optional.
  func eventEditViewControllerDefaultCalendar(forNewEvents controller: EKEventEditViewController)
    -> EKCalendar
}

extension EKEventEditViewDelegate {
  /// The store's default calendar.
  public func eventEditViewControllerDefaultCalendar(forNewEvents controller: EKEventEditViewController)
    -> EKCalendar
  {
    let store: EKEventStore = controller.eventStore
    return store.defaultCalendarForNewEvents ?? EKCalendar(for: .event, eventStore: store)
  }
}
