extension Schema {
  /// The migration `spatial-triggers`: SpatiaLite's work for each written row, without looking up constants
  /// in its catalogue, and without writing the time of day there, which only statistics need.
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

extension Schema {
  /// The migration `places-in-bulk`: in a step of a ``BulkChange``, places don't go into the spatial index at
  /// once; and a circle, which has no shape, needs no check of it.
  static let placesInBulk = """
    DROP TRIGGER gii_location_extents_extent;
    CREATE TRIGGER gii_location_extents_extent AFTER INSERT ON location_extents
    WHEN NOT EXISTS (SELECT 1 FROM bulk_changes WHERE NOT is_hidden AND NOT is_decided) BEGIN
      INSERT INTO idx_location_extents_extent VALUES (
        NEW.row, MbrMinX(NEW.extent), MbrMaxX(NEW.extent), MbrMinY(NEW.extent), MbrMaxY(NEW.extent));
    END;
    DROP TRIGGER ggi_structured_locations_shape;
    CREATE TRIGGER ggi_structured_locations_shape BEFORE INSERT ON structured_locations
    WHEN NEW.shape IS NOT NULL AND GeometryConstraints(NEW.shape, 'GEOMETRY', 4326) IS NOT 1 BEGIN
      SELECT RAISE(ROLLBACK, 'structured_locations.shape violates Geometry constraint [geom-type or SRID not allowed]');
    END;
    """
}
