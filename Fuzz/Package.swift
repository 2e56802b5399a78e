// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that the product never sees the flags that a fuzzer needs; `run` gives them.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "fencepost", path: "..")],
  targets: ["FuzzTraces", "FuzzContacts", "FuzzICalendar", "FuzzRecurrenceRule", "FuzzTimeZone"].map {
    .executableTarget(
      name: $0, dependencies: [.product(name: "FencepostRooms", package: "fencepost")],
      swiftSettings: settings)
  }
)
