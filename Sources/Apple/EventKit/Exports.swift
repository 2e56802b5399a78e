// On Apple's systems, `import EventKit` also imports Foundation, positions and colours. The module for
// colours is not called CoreGraphics: see Sources/GraphicsTypes/README.md.

@_exported public import CoreLocation
@_exported public import FencepostGraphicsTypes
@_exported public import Foundation
