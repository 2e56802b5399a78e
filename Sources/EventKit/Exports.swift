// What `import EventKit` brings along on Apple's systems too: Foundation, the positions and the colours.
// The colours come from a module not called CoreGraphics: see Sources/GraphicsTypes/README.md.

@_exported public import CoreLocation
@_exported public import Foundation
@_exported public import GraphicsTypes
