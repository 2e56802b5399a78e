@_exported public import FencepostViewControllers
@_exported public import Foundation
