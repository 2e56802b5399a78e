import Algorithms
import Archives
import Clients
import Configuration
import CSQLite
import CZlib
import EventKit
import Geodesy
import Items
import JSON
import OAuth
import XML

// As swift-nio and others ask. No product here has a module of these names.
#if canImport(System)
  #error("a module System is visible")
#endif
#if canImport(UIKit)
  #error("a module UIKit is visible to a program that uses EventKit alone")
#endif

@main
struct App {
  static func main() {
    let names = [
      neighbourAlgorithms, neighbourArchives, neighbourClients, neighbourConfiguration, neighbourGeodesy,
      neighbourItems, neighbourJSON, neighbourOAuth, neighbourXML,
    ]
    let libraries = Int(neighbour_CSQLite() + neighbour_CZlib())
    print(names.count + libraries, EKAuthorizationStatus.notDetermined.rawValue)
  }
}
