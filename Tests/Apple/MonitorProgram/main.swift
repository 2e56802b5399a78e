import CoreLocation
import Foundation

// A program in Apple's style with a monitor: it watches a circle and prints events, as many as its argument
// says.

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let count = Int(CommandLine.arguments.dropFirst().first ?? "") ?? 1
let session = CLServiceSession(authorization: .always)
for try await diagnostic in session.diagnostics {
  if diagnostic.authorizationDenied || diagnostic.authorizationRestricted {
    say("denied")
    exit(1)
  }
  if !diagnostic.authorizationRequestInProgress { break }
}
let monitor = await CLMonitor("Errands")
say("open with \(await monitor.identifiers)")
await monitor.add(
  CLMonitor.CircularGeographicCondition(
    center: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4), radius: 100),
  identifier: "Square", assuming: .unsatisfied)
say("watching")
var seen = 0
for try await event in await monitor.events {
  say("\(event.identifier) \(event.state == .satisfied ? "satisfied" : "not satisfied")")
  seen += 1
  if seen == count { break }
}
if let record = await monitor.record(for: "Square") { say("last \(record.lastEvent.state.rawValue)") }
session.invalidate()
