// `CGFloat` is Foundation's on Linux.
@_exported public import Foundation
@_exported public import GraphicsTypes
