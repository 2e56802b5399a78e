public import Foundation

/// The superclass of controllers.
@MainActor open class UIResponder: NSObject {
  /// A responder.
  public nonisolated override init() { super.init() }
}
