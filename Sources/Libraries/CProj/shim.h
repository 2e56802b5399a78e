// PROJ's geodesic routines (C. F. F. Karney), which libproj exports beside its projections, and its contexts.
#include <geodesic.h>
#include <proj.h>
