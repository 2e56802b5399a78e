public import Foundation

/// Handles requests to an app's extension. Part of Foundation on Apple's systems. It exists here so that providers of
/// virtual conferences compile; nothing on this system starts extensions.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
  /// Begins a request. The extension completes or cancels it.
  func beginRequest(with context: NSExtensionContext)
}

/// The context of a request to an extension. Part of Foundation on Apple's systems.
open class NSExtensionContext: NSObject {
  /// The input; always empty, because there are no requests.
  open var inputItems: [Any] { [] }

  /// Completes the request. Calls `completionHandler` with false: the host does not end the extension.
  open func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
    completionHandler?(false)
  }

  /// Cancels the request.
  open func cancelRequest(withError error: any Error) {}

  /// Asks the host to open a URL. That does not happen here: calls `completionHandler` with false.
  open func open(_ URL: URL, completionHandler: ((Bool) -> Void)? = nil) { completionHandler?(false) }
}

/// An item of an extension request or its result. Part of Foundation on Apple's systems.
open class NSExtensionItem: NSObject, NSCopying {
  /// Its title.
  open var attributedTitle: NSAttributedString?
  /// Its text.
  open var attributedContentText: NSAttributedString?
  /// Other information.
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
