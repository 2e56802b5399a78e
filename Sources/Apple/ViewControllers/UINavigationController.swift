public import Foundation

/// A controller with a stack of others. The top one appears.
open class UINavigationController: UIViewController {
  /// Receives notice of the shown controller.
  open weak var delegate: (any UINavigationControllerDelegate)?

  /// A controller with `rootViewController` at the bottom of its stack.
  public init(rootViewController: UIViewController) {
    super.init(nibName: nil, bundle: nil)
    viewControllers = [rootViewController]
  }

  /// A controller with an empty stack. Both arguments are ignored.
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  /// A controller with an empty stack.
  public override init() { super.init() }

  /// Not available: there are no interface files.
  public required init?(coder: NSCoder) { nil }

  /// The stack, from the bottom up.
  open var viewControllers: [UIViewController] {
    get { children }
    set { setViewControllers(newValue, animated: false) }
  }

  /// The top of the stack.
  open var topViewController: UIViewController? { children.last }

  /// The presented controller, otherwise the top of the stack.
  open var visibleViewController: UIViewController? { presentedViewController ?? topViewController }

  override var visibleChildren: [UIViewController] { topViewController.map { [$0] } ?? [] }

  /// Replaces the stack.
  open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
    let old = topViewController, new = viewControllers.last
    if isShown, let new, new !== old {
      delegate?.navigationController(self, willShow: new, animated: animated)
    }
    if old !== new { old?.hide(animated) }
    for child in children where !viewControllers.contains(where: { $0 === child }) { child.parent = nil }
    for child in viewControllers { child.parent = self }
    children = viewControllers
    guard isShown, let new, new !== old else { return }
    new.show(animated)
    delegate?.navigationController(self, didShow: new, animated: animated)
  }

  /// Puts a controller on top. Does nothing if it is in the stack already.
  open func pushViewController(_ viewController: UIViewController, animated: Bool) {
    guard !children.contains(where: { $0 === viewController }) else { return }
    setViewControllers(children + [viewController], animated: animated)
  }

  /// Removes the top, unless it is also the bottom.
  ///
  /// - Returns: The removed controller.
  @discardableResult
  open func popViewController(animated: Bool) -> UIViewController? {
    guard children.count > 1, let top = children.last else { return nil }
    setViewControllers(children.dropLast(), animated: animated)
    return top
  }

  /// Removes all controllers above one of the stack.
  ///
  /// - Returns: The removed controllers.
  @discardableResult
  open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
    guard let index = children.firstIndex(where: { $0 === viewController }) else { return nil }
    let above = Array(children[(index + 1)...])
    setViewControllers(Array(children[...index]), animated: animated)
    return above
  }

  /// Removes all controllers except the bottom one.
  ///
  /// - Returns: The removed controllers.
  @discardableResult
  open func popToRootViewController(animated: Bool) -> [UIViewController]? {
    children.first.flatMap { popToViewController($0, animated: animated) }
  }
}

/// Receives notice of the controller that a navigation controller shows. All methods are optional.
@MainActor public protocol UINavigationControllerDelegate: NSObjectProtocol {
  /// Called before a controller appears.
  func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool)
  /// Called after a controller appeared.
  func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}

extension UINavigationControllerDelegate {
  /// Does nothing.
  public func navigationController(
    _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool
  ) {}
  /// Does nothing.
  public func navigationController(
    _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
  ) {}
}
