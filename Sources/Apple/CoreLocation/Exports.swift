// On Apple's systems, `import CoreLocation` imports Foundation too.

@_exported public import Foundation
