// The enumerations are C's, because Swift's own are closed. On Apple's systems, `import CoreLocation` imports
// Foundation too.

@_exported public import CFencepostCoreLocation
@_exported public import Foundation
