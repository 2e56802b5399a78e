// What `import CoreLocation` brings along on Apple's systems too.

@_exported public import Foundation
