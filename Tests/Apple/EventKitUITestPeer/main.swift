import EventKitUI

// An app for the browser tests: it offers an event in the editor, and prints what became of it. The store is
// FENCEPOST_STORE's.

final class Screen: UIViewController, EKEventEditViewDelegate {
  private let store = EKEventStore()

  func offer(_ title: String) {
    let event = EKEvent(eventStore: store)
    event.title = title
    event.startDate = Date().addingTimeInterval(86_400)
    event.endDate = event.startDate.addingTimeInterval(3_600)
    let editor = EKEventEditViewController()
    editor.event = event
    editor.eventStore = store
    editor.editViewDelegate = self
    present(editor, animated: true)
  }

  func eventEditViewController(
    _ controller: EKEventEditViewController, didCompleteWith action: EKEventEditViewAction
  ) {
    dismiss(animated: true) {
      print(action)
      exit(0)
    }
  }
}

let screen = Screen()
screen.offer(CommandLine.arguments.dropFirst().first ?? "Offered")
RunLoop.main.run()
