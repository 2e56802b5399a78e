import CoreLocation
import MapKit
import Testing

/// Names each member of CoreLocation and MapKit that programs around calendars use, as they use it.
@Suite("Programs with positions")
struct LocationPrograms {
  final class Listener: NSObject, CLLocationManagerDelegate {
    var visits: [CLVisit] = []
    var headings: [CLHeading] = []

    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
    }
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { visits.append(visit) }
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
      headings.append(newHeading)
    }
    func locationManager(
      _ manager: CLLocationManager, didRange beacons: [CLBeacon],
      satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {}
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
  }

  /// Compiled, not run: it would ask for the permission of the tests' user.
  func everything(_ manager: CLLocationManager) async throws {
    let listener = Listener()
    manager.delegate = listener
    manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
    manager.distanceFilter = 50
    manager.activityType = .fitness
    manager.allowsBackgroundLocationUpdates = true
    manager.pausesLocationUpdatesAutomatically = false
    manager.showsBackgroundLocationIndicator = true
    if CLLocationManager.locationServicesEnabled(), manager.authorizationStatus == .notDetermined {
      manager.requestWhenInUseAuthorization()
      manager.requestAlwaysAuthorization()
    }
    if manager.accuracyAuthorization == .reducedAccuracy {
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Walks")
    }
    manager.requestLocation()
    manager.startUpdatingLocation()
    manager.stopUpdatingLocation()
    manager.startMonitoringSignificantLocationChanges()
    manager.stopMonitoringSignificantLocationChanges()
    manager.startMonitoringVisits()
    manager.stopMonitoringVisits()
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4),
      radius: min(200, manager.maximumRegionMonitoringDistance), identifier: "Home")
    region.notifyOnExit = false
    if CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self) {
      manager.startMonitoring(for: region)
      manager.requestState(for: region)
      for region in manager.monitoredRegions { manager.stopMonitoring(for: region) }
    }
    let session = CLServiceSession(authorization: .whenInUse, fullAccuracyPurposeKey: "Walks")
    let background = CLBackgroundActivitySession()
    for try await diagnostic in session.diagnostics where diagnostic.fullAccuracyDenied { break }
    for try await diagnostic in background.diagnostics where diagnostic.insufficientlyInUse { break }
    for try await update in CLLocationUpdate.liveUpdates(.fitness) {
      if update.stationary || update.isStationary || update.locationUnavailable { continue }
      if update.authorizationDenied || update.authorizationDeniedGlobally || update.accuracyLimited { break }
      print(update.location as Any)
    }
    let monitor = await CLMonitor("Home")
    let condition = CLMonitor.CircularGeographicCondition(center: region.center, radius: region.radius)
    await monitor.add(condition, identifier: "Home")
    await monitor.add(condition, identifier: "Work", assuming: .satisfied)
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: UUID(), major: 1, minor: 2), identifier: "Till")
    for identifier in await monitor.identifiers where identifier == "Work" {
      await monitor.remove(identifier)
    }
    if let record = await monitor.record(for: "Home"),
      let circle = record.condition
        as? CLMonitor
        .CircularGeographicCondition
    {
      print(circle.radius, record.lastEvent.date, record.lastEvent.refinement as Any)
    }
    for try await event in await monitor.events {
      switch event.state {
      case .satisfied, .unsatisfied: print(event.identifier)
      case .unknown, .unmonitored: print(event.conditionUnsupported, event.conditionLimitExceeded)
      default: break
      }
    }
    session.invalidate()
    background.invalidate()
  }

  /// Compiled, not run: it would ask the tests' user's server.
  @MainActor
  func search() async throws {
    let request = MKLocalSearch.Request()
    request.naturalLanguageQuery = "bakery"
    request.region = MKCoordinateRegion(
      center: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4), latitudinalMeters: 500,
      longitudinalMeters: 500)
    let found = try await MKLocalSearch(request: request).start()
    print(found.mapItems.map(\.name), found.boundingRegion.span.latitudeDelta)
    MKLocalSearch(request: request).start { response, error in
      if let error = error as? MKError, error.code == .placemarkNotFound { print("nothing") }
      print(response?.mapItems.count ?? 0)
    }
    if let geocoding = MKGeocodingRequest(addressString: "1 Mill Road") {
      geocoding.preferredLocale = Locale(identifier: "en_GB")
      print(try await geocoding.mapItems.first?.address?.fullAddress ?? "", geocoding.isLoading)
      geocoding.cancel()
    }
    if let reverse = MKReverseGeocodingRequest(location: CLLocation(latitude: 52.5, longitude: 13.4)) {
      let item = try await reverse.mapItems.first
      print(item?.addressRepresentations?.cityWithContext(.full) ?? "", item?.location.coordinate as Any)
    }
  }

  @Test("What is not supported says so")
  func unsupported() {
    #expect(!CLLocationManager.headingAvailable() && !CLLocationManager.isRangingAvailable())
    #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
    #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
    #expect(CLMonitoringState.unmonitored.rawValue == 3 && CLActivityType.airborne.rawValue == 5)
  }

  @Test("A coordinate and a name make a map item, as on newer systems")
  func mapItem() async throws {
    let address = try #require(MKAddress(fullAddress: "1 Mill Road, Town", shortAddress: "1 Mill Road"))
    let item = MKMapItem(location: CLLocation(latitude: 52.5, longitude: 13.4), address: address)
    item.name = "Mill"
    #expect(item.location.coordinate.latitude == 52.5 && item.address?.shortAddress == "1 Mill Road")
    #expect(item.placemark.coordinate.longitude == 13.4 && item.addressRepresentations == nil)
    #expect(MKAddress(fullAddress: "", shortAddress: nil) == nil)
    #expect(MKGeocodingRequest(addressString: " ") == nil)
    let request = try #require(MKGeocodingRequest(addressString: "52.5208, 13.4094"))
    let found = try await request.mapItems
    #expect(found.map(\.location.coordinate.latitude) == [52.5208] && !request.isLoading)
    let search = MKLocalSearch.Request(naturalLanguageQuery: "52.5208, 13.4094")
    let response = try await MKLocalSearch(request: search).start()
    #expect(response.boundingRegion.center.longitude == 13.4094)
    let nowhere = CLLocation(latitude: 100, longitude: 0)
    #expect(MKReverseGeocodingRequest(location: nowhere) == nil)
  }

  @Test("A region survives an archive")
  func archive() throws {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4), radius: 80, identifier: "Home")
    region.notifyOnExit = false
    let data = try NSKeyedArchiver.archivedData(withRootObject: region, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLCircularRegion.self, from: data))
    #expect(read == region && read.radius == 80 && read.center.longitude == 13.4)
    #expect(read.notifyOnEntry && !read.notifyOnExit)
  }
}
