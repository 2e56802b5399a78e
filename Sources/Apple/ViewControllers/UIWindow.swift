/// The place where an app's first controller appears. Draws nothing.
open class UIWindow: UIResponder {
  /// The app's first controller.
  open var rootViewController: UIViewController? {
    didSet {
      guard rootViewController !== oldValue else { return }
      oldValue?.hide(false)
      if !isHidden { rootViewController?.show(false) }
    }
  }

  /// Whether nothing appears; true at first.
  open var isHidden = true {
    didSet {
      guard isHidden != oldValue else { return }
      if isHidden { rootViewController?.hide(false) } else { rootViewController?.show(false) }
    }
  }

  /// Makes the first controller appear.
  open func makeKeyAndVisible() { isHidden = false }
}
