// The enumerations are C's, because Swift's own are closed. On Apple's systems, `import EventKit` also imports
// Foundation, positions and colours. The module for colours is not called CoreGraphics: see
// Sources/Apple/GraphicsTypes/README.md.

@_exported public import CFencepostEventKit
@_exported public import CoreLocation
@_exported public import FencepostGraphicsTypes
@_exported public import Foundation
