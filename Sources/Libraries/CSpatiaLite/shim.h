// SpatiaLite.
#define GEOS_USE_ONLY_R_API 1
#include <sqlite3.h>
#include <spatialite.h>
