// On Apple's systems, `import Contacts` imports Foundation too.

@_exported public import Foundation
