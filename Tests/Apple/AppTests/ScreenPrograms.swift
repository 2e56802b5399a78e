import EventKitUI
import Testing

@Suite("Programs with screens of EventKitUI")
@MainActor
struct ScreenPrograms {
  @Test("Numbers of the actions and styles are Apple's")
  func numbers() {
    #expect([EKEventEditViewAction.canceled, .saved, .deleted].map(\.rawValue) == [0, 1, 2])
    #expect([EKEventViewAction.done, .responded, .deleted].map(\.rawValue) == [0, 1, 2])
    #expect([EKCalendarChooserSelectionStyle.single, .multiple].map(\.rawValue) == [0, 1])
    #expect([EKCalendarChooserDisplayStyle.allCalendars, .writableCalendarsOnly].map(\.rawValue) == [0, 1])
  }

  @Test("An editor is a navigation controller, a viewer and a chooser are controllers")
  func classes() {
    let editor: UINavigationController = EKEventEditViewController()
    let viewer: UIViewController = EKEventViewController()
    let chooser: UIViewController = EKCalendarChooser(
      selectionStyle: .multiple, displayStyle: .allCalendars, eventStore: EKEventStore.inMemory())
    #expect(editor.viewControllers.isEmpty && viewer.title == nil && chooser.parent == nil)
    let helper = SheetHelper()
    (editor as? EKEventEditViewController)?.editViewDelegate = helper
  }
}
