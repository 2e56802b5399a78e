public import Foundation

/// A controller. Here it only has an order of appearances, without views.
///
/// Subclasses that show something override ``viewDidAppear(_:)``. A controller appears when it is presented,
/// when it is the root of a ``UIWindow``, or on top of a navigation controller that has appeared.
open class UIViewController: UIResponder {
  /// The title.
  open var title: String?
  /// The style of presentation; all are the same here.
  open var modalPresentationStyle = UIModalPresentationStyle.automatic
  /// The style of the transition; all are the same here.
  open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
  /// Whether only the app can dismiss it.
  open var isModalInPresentation = false
  /// The controller that contains this one.
  open internal(set) weak var parent: UIViewController?
  /// The contained controllers.
  open internal(set) var children: [UIViewController] = []
  private var presented: UIViewController?
  private weak var presenting: UIViewController?
  /// Whether ``viewDidLoad()`` was called.
  open private(set) var isViewLoaded = false
  /// True from ``viewWillAppear(_:)`` until ``viewWillDisappear(_:)``.
  private(set) var isShown = false
  /// True while it is being presented.
  open private(set) var isBeingPresented = false
  /// True while it is being dismissed.
  open private(set) var isBeingDismissed = false

  /// A controller. Ignores both arguments, because there are no interface files.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

  /// A controller.
  public override init() { super.init() }

  /// Not available: there are no interface files.
  public required init?(coder: NSCoder) { nil }

  // MARK: Appearing

  /// Calls ``viewDidLoad()`` once.
  open func loadViewIfNeeded() {
    guard !isViewLoaded else { return }
    isViewLoaded = true
    viewDidLoad()
  }

  /// Called once before the first appearance.
  open func viewDidLoad() {}

  /// Called before it appears.
  open func viewWillAppear(_ animated: Bool) {}

  /// Called after it appeared.
  open func viewDidAppear(_ animated: Bool) {}

  /// Called before it disappears.
  open func viewWillDisappear(_ animated: Bool) {}

  /// Called after it disappeared.
  open func viewDidDisappear(_ animated: Bool) {}

  /// Makes it appear, unless it already has.
  func show(_ animated: Bool) {
    guard !isShown else { return }
    loadViewIfNeeded()
    isShown = true
    viewWillAppear(animated)
    for child in visibleChildren { child.show(animated) }
    viewDidAppear(animated)
  }

  /// Makes it disappear, if it has appeared.
  func hide(_ animated: Bool) {
    guard isShown else { return }
    isShown = false
    viewWillDisappear(animated)
    for child in visibleChildren { child.hide(animated) }
    viewDidDisappear(animated)
  }

  /// The children that appear together with it.
  var visibleChildren: [UIViewController] { children }

  // MARK: Presenting

  /// The controller that this one, or one that contains it, presents.
  open var presentedViewController: UIViewController? { presented ?? parent?.presentedViewController }

  /// The controller that presents this one, or one that contains it.
  open var presentingViewController: UIViewController? { presenting ?? parent?.presentingViewController }

  /// Presents a controller. Does nothing if this one already presents one, or if that one is presented
  /// elsewhere.
  ///
  /// - Parameter completion: Called after it appeared.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
  ) {
    if let parent { return parent.present(viewControllerToPresent, animated: flag, completion: completion) }
    guard presented == nil, viewControllerToPresent.presenting == nil, viewControllerToPresent !== self else {
      return
    }
    presented = viewControllerToPresent
    viewControllerToPresent.presenting = self
    viewControllerToPresent.isBeingPresented = true
    viewControllerToPresent.show(flag)
    viewControllerToPresent.isBeingPresented = false
    completion?()
  }

  /// Dismisses the presented controller with all above it. Without a presented controller, dismisses this
  /// one.
  ///
  /// - Parameter completion: Called after it disappeared.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    guard let top = presentedViewController, let owner = top.presenting else {
      if let presentingViewController {
        presentingViewController.dismiss(animated: flag, completion: completion)
      } else {
        completion?()
      }
      return
    }
    // The upper ones first.
    if top.presentedViewController != nil { top.dismiss(animated: flag) }
    owner.presented = nil
    top.isBeingDismissed = true
    top.hide(flag)
    top.isBeingDismissed = false
    top.presenting = nil
    completion?()
  }

  // MARK: Containing

  /// The navigation controller that contains it.
  open var navigationController: UINavigationController? {
    parent as? UINavigationController ?? parent?.navigationController
  }

  /// Adds a child controller.
  open func addChild(_ childController: UIViewController) {
    childController.removeFromParent()
    children.append(childController)
    childController.parent = self
    if isShown { childController.show(false) }
  }

  /// Removes this controller from the one that contains it.
  open func removeFromParent() {
    hide(false)
    parent?.children.removeAll { $0 === self }
    parent = nil
  }
}

/// The style of a presentation.
public enum UIModalPresentationStyle: Int, Sendable {
  case automatic = -2
  case none = -1
  case fullScreen = 0
  case pageSheet, formSheet, currentContext, custom, overFullScreen, overCurrentContext, popover
}

/// The style of a transition.
public enum UIModalTransitionStyle: Int, Sendable {
  case coverVertical, flipHorizontal, crossDissolve, partialCurl
}
