// On Apple's systems, `import Intents` imports addresses, positions and Foundation too.

@_exported public import Contacts
@_exported public import CoreLocation
@_exported public import Foundation
