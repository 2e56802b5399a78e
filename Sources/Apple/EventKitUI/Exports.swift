// On Apple's systems, `import EventKitUI` also imports EventKit and UIKit. The module for controllers is not
// called UIKit: see Sources/ViewControllers/README.md.

@_exported public import EventKit
@_exported public import FencepostViewControllers
