import FencepostDatabase

/// Answers 1 if the spatial index has each extent, and nothing else. SpatiaLite's own check works in files
/// only, where its tables are.
let spatialIndexCheck = SQL(
  """
  SELECT (SELECT count(*) FROM location_extents) = (SELECT count(*) FROM idx_location_extents_extent)
    AND NOT EXISTS (
      SELECT 1 FROM location_extents e LEFT JOIN idx_location_extents_extent x ON x.pkid = e.row
      WHERE x.pkid IS NULL OR x.xmin > MbrMinX(e.extent) OR x.xmax < MbrMaxX(e.extent)
        OR x.ymin > MbrMinY(e.extent) OR x.ymax < MbrMaxY(e.extent)
        OR x.xmax - x.xmin > MbrMaxX(e.extent) - MbrMinX(e.extent) + 0.001)
  """)
