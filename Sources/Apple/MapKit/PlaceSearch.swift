import CoreLocation
import Foundation
import Synchronization

/// One search for places with a geocoder of its own.
final class PlaceSearch: Sendable {
  private struct State {
    var running = 0
    var isCancelled = false
  }

  private let geocoder = CLGeocoder()
  private let state = Mutex(State())

  var isRunning: Bool { state.withLock { $0.running > 0 } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    geocoder.cancelGeocode()
  }

  /// The places that `body` finds.
  ///
  /// - Throws: ``MKError``.
  nonisolated(nonsending) func items(
    _ body: @Sendable (CLGeocoder) async throws -> [CLPlacemark]
  ) async throws -> [MKMapItem] {
    state.withLock { $0.running += 1 }
    defer { state.withLock { $0.running -= 1 } }
    do {
      return try await body(geocoder).map { MKMapItem(placemark: MKPlacemark(placemark: $0)) }
    } catch let error as CLError {
      throw MKError(error)
    }
  }
}
