// A separate file, because a file that imports Testing can't import UIKit: Testing's overlay for that module
// exists only on Apple's systems.
import EventKit
import EventKitUI
import UIKit

/// Screens as apps write them: nothing but what EventKitUI and UIKit bring.
final class AgendaScreen: UIViewController, EKEventEditViewDelegate, EKEventViewDelegate,
  EKCalendarChooserDelegate
{
  let store = EKEventStore()
  private(set) var outcomes: [EKEventEditViewAction] = []

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Agenda"
  }

  func addAppointment(at start: Date) {
    let appointment = EKEvent(eventStore: store)
    appointment.title = "Dentist"
    appointment.startDate = start
    appointment.endDate = Calendar.current.date(byAdding: .minute, value: 45, to: start) ?? start
    appointment.timeZone = TimeZone(identifier: "Europe/Berlin")
    appointment.location = "Main Street 1"

    let editor = EKEventEditViewController()
    editor.event = appointment
    editor.eventStore = store
    editor.editViewDelegate = self
    editor.modalPresentationStyle = .formSheet
    present(editor, animated: true)
  }

  func eventEditViewController(
    _ controller: EKEventEditViewController, didCompleteWith action: EKEventEditViewAction
  ) {
    switch action {
    case .canceled, .deleted, .saved: outcomes.append(action)
    @unknown default: break
    }
    dismiss(animated: true)
  }

  func eventEditViewControllerDefaultCalendar(forNewEvents controller: EKEventEditViewController)
    -> EKCalendar
  {
    return store.defaultCalendarForNewEvents ?? EKCalendar(for: .event, eventStore: store)
  }

  func open(_ event: EKEvent) {
    let viewer = EKEventViewController()
    viewer.event = event
    viewer.allowsEditing = true
    viewer.allowsCalendarPreview = true
    viewer.delegate = self
    navigationController?.pushViewController(viewer, animated: true)
  }

  func eventViewController(_ controller: EKEventViewController, didCompleteWith action: EKEventViewAction) {
    if action == .done || action == .responded || action == .deleted {
      navigationController?.popViewController(animated: true)
    }
  }

  func chooseCalendar() {
    let chooser = EKCalendarChooser(
      selectionStyle: .single,
      displayStyle: .writableCalendarsOnly,
      entityType: .event,
      eventStore: store
    )
    if let usual = store.defaultCalendarForNewEvents { chooser.selectedCalendars = [usual] }
    chooser.showsDoneButton = true
    chooser.delegate = self
    present(UINavigationController(rootViewController: chooser), animated: true)
  }

  func calendarChooserDidFinish(_ calendarChooser: EKCalendarChooser) {
    calendarChooser.dismiss(animated: true, completion: nil)
  }
}

/// A helper that is no controller, with the smallest delegate.
final class SheetHelper: NSObject, EKEventEditViewDelegate {
  func eventEditViewController(
    _ controller: EKEventEditViewController, didCompleteWith action: EKEventEditViewAction
  ) {
    controller.dismiss(animated: true, completion: nil)
  }
}
