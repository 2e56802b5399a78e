// PROJ's geodesic routines (C. F. F. Karney), which libproj exports beside its projections.
#include <geodesic.h>
