import FencepostViewControllers
import Foundation
import Testing

/// A controller that notes its appearances.
@MainActor
private final class Noting: UIViewController {
  let name: String
  let log: Log

  final class Log {
    var lines: [String] = []
  }

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() { log.lines.append("\(name) loads") }
  override func viewDidAppear(_ animated: Bool) { log.lines.append("\(name) appears") }
  override func viewWillDisappear(_ animated: Bool) { log.lines.append("\(name) disappears") }
}

@Suite("Controllers appear and disappear as on Apple's systems")
@MainActor
struct ControllerTests {
  private let log = Noting.Log()

  @Test("A presented controller appears, its block is called, and dismissing takes it and those above away")
  func presenting() {
    let root = UIViewController(), first = Noting("first", log), second = Noting("second", log)
    var calls = 0
    root.present(first, animated: true) { calls += 1 }
    root.present(second, animated: true)
    #expect(root.presentedViewController === first && first.presentingViewController === root)
    #expect(second.presentingViewController == nil)
    first.present(second, animated: false)
    root.dismiss(animated: true) { calls += 1 }
    #expect(
      log.lines == [
        "first loads", "first appears", "second loads", "second appears", "second disappears",
        "first disappears",
      ])
    #expect(calls == 2 && root.presentedViewController == nil && first.presentingViewController == nil)
    // It may be presented again, and dismiss itself.
    root.present(first, animated: true)
    first.dismiss(animated: true)
    #expect(log.lines.suffix(2) == ["first appears", "first disappears"])
  }

  @Test("Of a navigation controller the top appears, once it has appeared itself")
  func pushing() {
    let bottom = Noting("bottom", log), top = Noting("top", log)
    let navigation = UINavigationController(rootViewController: bottom)
    navigation.pushViewController(top, animated: true)
    #expect(log.lines.isEmpty && top.navigationController === navigation)
    let window = UIWindow()
    window.rootViewController = navigation
    window.makeKeyAndVisible()
    #expect(log.lines == ["top loads", "top appears"])
    #expect(navigation.popViewController(animated: true) === top)
    #expect(navigation.popViewController(animated: true) == nil)
    #expect(log.lines.suffix(3) == ["top disappears", "bottom loads", "bottom appears"])
    navigation.pushViewController(top, animated: false)
    navigation.pushViewController(top, animated: false)
    #expect(navigation.viewControllers == [bottom, top] && navigation.visibleViewController === top)
    #expect(navigation.popToRootViewController(animated: false) == [top] && top.navigationController == nil)
  }

  @Test("What a contained controller presents is presented by the container")
  func containing() {
    let inner = UIViewController(), sheet = Noting("sheet", log)
    let navigation = UINavigationController(rootViewController: inner)
    inner.present(sheet, animated: true)
    #expect(navigation.presentedViewController === sheet && inner.presentedViewController === sheet)
    inner.dismiss(animated: true)
    #expect(log.lines == ["sheet loads", "sheet appears", "sheet disappears"])
  }
}
