import FencepostCalendarModel
import FencepostGeodesy
public import FencepostRecurrence

/// Finds the zone of a place: by its airport, its coordinates, or its country.
///
/// The nearest point with a known zone decides: the airports of the table, and tzdata's point for each zone
/// (`zone1970.tab` and `zone.tab`), of the same country if that is known. Near a border between zones the
/// result may be wrong.
public struct ZoneFinder: Sendable {
  private let zones: TimeZoneDatabase
  private let points: [ZonePoint]
  private let codes: [String: String]

  /// A finder over the system's data.
  public init(zones: TimeZoneDatabase = .system) {
    self.zones = zones
    let table = ZoneTable(directory: zones.directory)
    points =
      table.points
      + Airport.table.values.sorted { $0.code < $1.code }.map {
        ZonePoint(country: $0.country, coordinate: $0.coordinate, zone: $0.zone)
      }
    codes = table.countries
  }

  /// The zone at `place` when its clocks show `time`; `nil` if it can't be known.
  func zone(of place: ReservationPlace, at time: ReservationTime) -> TimeZoneID? {
    if let airport = place.airport { return airport.zone }
    let country = code(of: place)
    let candidates = country.map { code in points.filter { $0.country == code } } ?? points
    if let coordinate = place.coordinate, coordinate.isValid {
      return candidates.min { $0.nearness(to: coordinate) > $1.nearness(to: coordinate) }?.zone
    }
    // A country without coordinates is enough if all its clocks agree.
    guard country != nil, let first = candidates.first else { return nil }
    let rules = Set(candidates.map(\.zone)).compactMap { zones.zone($0) }
    return Set(rules.map { $0.instant(of: time.civil) }).count == 1 ? first.zone : nil
  }

  /// The code of a place's country: as written, by its name, or by the name at the end of its address.
  private func code(of place: ReservationPlace) -> String? {
    if let country = place.country { return codes[country.lowercased()] }
    guard let last = place.address?.split(separator: ",").last else { return nil }
    let name = last.trimmed.lowercased()
    return name.count > 2 ? codes[name] : nil
  }
}
