// swift-tools-version: 6.3
import PackageDescription

// Example programs. Each depends on one product of Fencepost, like your own app. In your app, use the address
// of the repository instead of the path.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "fencepost", path: "..")],
  targets: [
    .executableTarget(
      name: "errands",
      dependencies: [.product(name: "EventKit", package: "fencepost")]),
    .executableTarget(
      name: "jitsi-conferences",
      dependencies: [.product(name: "EventKit", package: "fencepost")]),
  ]
)
