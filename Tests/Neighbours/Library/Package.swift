// swift-tools-version: 6.3
import PackageDescription

// Another package, whose targets have the names of our rooms and C libraries without the prefix.
let names = [
  "Algorithms", "Archives", "Clients", "Configuration", "Geodesy", "Items", "JSON", "OAuth", "System", "XML",
]
let libraries = ["CSQLite", "CZlib"]

let package = Package(
  name: "Library",
  products: [.library(name: "Library", targets: names.filter { $0 != "System" } + libraries)],
  targets: names.map { .target(name: $0, path: "Sources/\($0)") }
    + libraries.map { .target(name: $0, path: "Sources/\($0)") })
