// On Apple's systems, `import MapKit` imports positions and Foundation too.

@_exported public import CoreLocation
@_exported public import Foundation
