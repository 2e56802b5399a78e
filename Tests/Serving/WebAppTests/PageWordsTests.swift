import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Testing

@Suite("What pages repeat of the model")
struct PageWordsTests {
  private static let pages = "Sources/Serving/WebApp/Pages"

  @Test("The page has a sentence for each action that can be undone", arguments: UndoAction.allCases)
  func action(_ action: UndoAction) throws {
    let script = try Repository.text("\(Self.pages)/core/steps.js")
    let name = action.rawValue.contains(" ") ? "\"\(action.rawValue)\"" : action.rawValue
    #expect(script.contains("\n  \(name): \""))
  }

  @Test(
    "Radii of the map are those of the model",
    arguments: [
      ("defaultRadius", "\(Int(StructuredLocation.defaultRadius))"),
      ("sensibleRadius", "\(Int(StructuredLocation.sensibleRadius))"),
      (
        "possibleRadius",
        "[\(Int(StructuredLocation.possibleRadius.lowerBound)), \(Int(StructuredLocation.possibleRadius.upperBound))]"
      ),
    ])
  func radius(name: String, value: String) throws {
    #expect(try Repository.text("\(Self.pages)/map/place-finder.js").contains("const \(name) = \(value);"))
  }

  @Test("A label is an action and a title")
  func label() {
    #expect(UndoLabel(.edit, "Milk", by: .pages, at: .epoch).command == "edit Milk")
    #expect(UndoLabel(.putAside, "", by: .pages, at: .epoch).command == "put aside")
  }
}
