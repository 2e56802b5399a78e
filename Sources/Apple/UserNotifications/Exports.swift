// On Apple's systems, `import UserNotifications` imports Foundation too.

@_exported public import Foundation
