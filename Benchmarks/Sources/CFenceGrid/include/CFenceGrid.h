#ifndef CFENCEGRID_H
#define CFENCEGRID_H
#include <stddef.h>
#include <stdint.h>

/// The baseline that geofencing is timed against: a uniform grid of latitude and longitude that lists each circle in all
/// cells it touches, and compares chords on the sphere. Per device it keeps which fences the last position was in.
typedef struct FenceGrid FenceGrid;

/// A position of a device, which is a number from 0 on.
typedef struct {
  uint32_t device;
  float accuracy;
  int64_t microseconds;
  double latitude;
  double longitude;
} GridPosition;

/// A circle; radius in metres.
typedef struct {
  double latitude;
  double longitude;
  double radius;
} GridCircle;

/// A grid of `count` circles, for `devices` devices.
FenceGrid *fence_grid_create(const GridCircle *circles, size_t count, size_t devices);
/// Evaluates positions in turn; returns how many fences were entered or left.
uint64_t fence_grid_run(FenceGrid *grid, const GridPosition *positions, size_t count);
/// Reads a file of device, seconds, latitude, longitude and accuracy with a header, and evaluates its positions.
uint64_t fence_grid_run_csv(FenceGrid *grid, const char *path);
void fence_grid_free(FenceGrid *grid);

/// How many bytes the program has allocated.
size_t bytes_in_use(void);
#endif
