public import EventKit
import FencepostDaemonControl
import FencepostItems
public import FencepostViewControllers
public import Foundation

/// How the user left the viewer.
public enum EKEventViewAction: Int, Sendable {
  /// The user closed the viewer.
  case done = 0
  /// The user answered an invitation. Never reported, because the page has no answers.
  case responded = 1
  /// The event was deleted.
  case deleted = 2
}

/// A viewer of an event: a page of Fencepost's web app, in the user's browser. It shows changes of the event
/// at once.
///
/// It needs full access to events, and a saved event; otherwise it reports `done` at once.
open class EKEventViewController: UIViewController {
  /// The receiver of the outcome.
  open weak var delegate: (any EKEventViewDelegate)?
  /// The event. Set it before the viewer appears.
  open var event: EKEvent!
  /// Whether the user may edit and delete the event.
  open var allowsEditing = false
  /// Whether the user may see the day around an invitation. The page has no such view.
  open var allowsCalendarPreview = false
  private var session: PageSession?

  /// Opens the page.
  open override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    session = PageSession(request, at: event?.daemonSocket) { [weak self] in self?.complete($0) }
  }

  /// Closes the page.
  open override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    end()
  }

  private func end() {
    session?.end()
    session = nil
  }

  private func complete(_ report: PageReport) {
    guard session != nil, report.isEnd else { return }
    end()
    if report == .deleted { event?.adoptDeletion() } else { event?.refresh() }
    delegate?.eventViewController(self, didCompleteWith: report == .deleted ? .deleted : .done)
  }

  private var request: PageRequest {
    var request = PageRequest(.view, app: event?.appName ?? "")
    request.item = event?.storedIdentifier ?? ""
    request.allowsEditing = allowsEditing
    if let event {
      request.occurrence = event.seriesOccurrence.map(ItemJSON(resolver: event.resolver).text)
    }
    return request
  }
}

/// Receives the outcome of an ``EKEventViewController``.
@MainActor public protocol EKEventViewDelegate: NSObjectProtocol {
  /// Called on the main queue when the user closed the viewer or deleted the event.
  func eventViewController(_ controller: EKEventViewController, didCompleteWith action: EKEventViewAction)
}
