// swift-tools-version: 6.3
import PackageDescription

// Programs to copy from. Each depends on one product of Fencepost, as an app of your own would; yours names the
// repository's address in place of the path.
let package = Package(
  name: "Examples",
  dependencies: [.package(name: "fencepost", path: "..")],
  targets: [
    .executableTarget(
      name: "errands",
      dependencies: [.product(name: "EventKit", package: "fencepost")])
  ]
)
