// `CGFloat` is Foundation's on Linux.
@_exported public import FencepostGraphicsTypes
@_exported public import Foundation
