// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "App",
  dependencies: [
    .package(name: "fencepost", path: "../../.."),
    .package(path: "../Library"),
  ],
  targets: [
    .executableTarget(
      name: "app",
      dependencies: [
        .product(name: "EventKit", package: "fencepost"), .product(name: "Library", package: "Library"),
      ]),
    .testTarget(
      name: "AppTests", dependencies: [.product(name: "EventKit", package: "fencepost")]),
  ])
