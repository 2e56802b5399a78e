public import Foundation

/// What an app's extension does when it is asked for something. In Foundation on Apple's systems; here so that a
/// provider of virtual conferences compiles, since nothing on this system starts extensions.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Tells of a request, which the extension completes or cancels.
  func beginRequest(with context: NSExtensionContext)
}

/// What an extension is asked with. In Foundation on Apple's systems.
open class NSExtensionContext: NSObject {
  /// What it is to work on; empty, for nobody asks.
  open var inputItems: [Any] { [] }

  /// Answers the request. `completionHandler` is told that the host has not ended the extension.
  open func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
    completionHandler?(false)
  }

  /// Gives up the request.
  open func cancelRequest(withError error: any Error) {}

  /// Asks the host to open an address, which is not done here: `completionHandler` is told so.
  open func open(_ URL: URL, completionHandler: ((Bool) -> Void)? = nil) { completionHandler?(false) }
}

/// A piece of what an extension is asked with, or answers. In Foundation on Apple's systems.
open class NSExtensionItem: NSObject, NSCopying {
  /// Its title.
  open var attributedTitle: NSAttributedString?
  /// Its text.
  open var attributedContentText: NSAttributedString?
  /// What else belongs to it.
  open var userInfo: [AnyHashable: Any]?

  /// A copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSExtensionItem()
    copy.attributedTitle = attributedTitle
    copy.attributedContentText = attributedContentText
    copy.userInfo = userInfo
    return copy
  }
}
