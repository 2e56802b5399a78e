public import EventKit
import FencepostDaemonControl
public import FencepostViewControllers
public import Foundation

/// The number of calendars that the user can choose.
public enum EKCalendarChooserSelectionStyle: Int, Sendable {
  case single = 0
  case multiple = 1
}

/// The calendars to show.
public enum EKCalendarChooserDisplayStyle: Int, Sendable {
  case allCalendars = 0
  /// Only calendars whose items can be changed.
  case writableCalendarsOnly = 1
}

/// A choice of calendars: a page of Fencepost's web app, in the user's browser.
///
/// It needs access. With write-only access it shows only writable calendars, with any style.
open class EKCalendarChooser: UIViewController {
  /// The number of calendars that the user can choose.
  public let selectionStyle: EKCalendarChooserSelectionStyle
  private let displayStyle: EKCalendarChooserDisplayStyle
  private let entityType: EKEntityType
  private let eventStore: EKEventStore
  /// The receiver of the user's choice.
  open weak var delegate: (any EKCalendarChooserDelegate)?
  /// Whether the page has a button to finish.
  open var showsDoneButton = false
  /// Whether the page has a button to cancel.
  open var showsCancelButton = false
  /// The selected calendars.
  open var selectedCalendars: Set<EKCalendar> = []
  private var session: PageSession?

  /// A choice of calendars for events.
  public convenience init(
    selectionStyle: EKCalendarChooserSelectionStyle, displayStyle: EKCalendarChooserDisplayStyle,
    eventStore: EKEventStore
  ) {
    self.init(
      selectionStyle: selectionStyle, displayStyle: displayStyle, entityType: .event, eventStore: eventStore)
  }

  /// A choice of calendars for events, or of lists for reminders.
  public init(
    selectionStyle: EKCalendarChooserSelectionStyle, displayStyle: EKCalendarChooserDisplayStyle,
    entityType: EKEntityType, eventStore: EKEventStore
  ) {
    self.selectionStyle = selectionStyle
    self.displayStyle = displayStyle
    self.entityType = entityType
    self.eventStore = eventStore
    super.init(nibName: nil, bundle: nil)
  }

  /// Not available: there are no interface files.
  public required init?(coder: NSCoder) { nil }

  /// Opens the page.
  open override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    session = PageSession(request, at: eventStore.daemonSocket) { [weak self] in self?.hear($0) }
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

  private func hear(_ report: PageReport) {
    guard session != nil else { return }
    switch report {
    case .selection(let identifiers):
      selectedCalendars = Set(identifiers.compactMap { eventStore.calendar(chosen: $0) })
      delegate?.calendarChooserSelectionDidChange(self)
    case .done:
      end()
      delegate?.calendarChooserDidFinish(self)
    case .saved, .deleted, .canceled:
      end()
      delegate?.calendarChooserDidCancel(self)
    }
  }

  private var request: PageRequest {
    var request = PageRequest(.choose, app: eventStore.appName)
    request.entity = entityType == .event ? .event : .reminder
    request.isMultiple = selectionStyle == .multiple
    request.onlyWritable = displayStyle == .writableCalendarsOnly
    request.hasDone = showsDoneButton
    request.hasCancel = showsCancelButton
    request.selected = selectedCalendars.compactMap(\.storedIdentifier)
    return request
  }
}

/// Receives the user's choice in an ``EKCalendarChooser``, on the main queue. All methods are optional.
@MainActor public protocol EKCalendarChooserDelegate: NSObjectProtocol {
  /// Called after each change of the selection.
  func calendarChooserSelectionDidChange(_ calendarChooser: EKCalendarChooser)
  /// Called when the user has finished. Dismiss the chooser here.
  func calendarChooserDidFinish(_ calendarChooser: EKCalendarChooser)
  /// Called when the user canceled. Dismiss the chooser here.
  func calendarChooserDidCancel(_ calendarChooser: EKCalendarChooser)
}

extension EKCalendarChooserDelegate {
  /// Does nothing.
  public func calendarChooserSelectionDidChange(_ calendarChooser: EKCalendarChooser) {}
  /// Does nothing.
  public func calendarChooserDidFinish(_ calendarChooser: EKCalendarChooser) {}
  /// Does nothing.
  public func calendarChooserDidCancel(_ calendarChooser: EKCalendarChooser) {}
}

/// The bundle of EventKitUI.
public func EKUIBundle() -> Bundle { .main }
