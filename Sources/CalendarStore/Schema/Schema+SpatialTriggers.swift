extension Schema {
  /// The migration `spatial-triggers`: SpatiaLite's work for each written row, without looking up constants in its
  /// catalogue, and without writing the time of day there, which only statistics need.
  static let spatialTriggers =
    [("structured_locations", "shape", "GEOMETRY"), ("location_extents", "extent", "POLYGON")].flatMap {
      table, column, type in
      ["tmi", "tmu", "tmd"].map { "DROP TRIGGER IF EXISTS \($0)_\(table)_\(column)" }
        + [("ggi", "INSERT"), ("ggu", "UPDATE OF \(column)")].map { trigger, event in
          """
          DROP TRIGGER IF EXISTS \(trigger)_\(table)_\(column);
          CREATE TRIGGER \(trigger)_\(table)_\(column) BEFORE \(event) ON \(table)
          WHEN GeometryConstraints(NEW.\(column), '\(type)', 4326) IS NOT 1 BEGIN
            SELECT RAISE(ROLLBACK, '\(table).\(column) violates Geometry constraint [geom-type or SRID not allowed]');
          END
          """
        }
    }
}
