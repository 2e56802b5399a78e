#include "CFenceGrid.h"
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double side = 0.005;
static const double earth = 6371008.8;
static const double degree = 3.14159265358979323846 / 180;
#define COLUMNS 72000

typedef struct { double x, y, z, chord; } Centre;
typedef struct { uint64_t key; uint32_t circle; } Entry;
typedef struct { uint64_t key; uint32_t first, end; } Cell;
typedef struct { uint32_t *ids; size_t count, room; } List;

struct FenceGrid {
  Centre *centres;
  uint32_t *ids;
  Cell *cells;
  size_t mask, devices;
  List *inside;
  List now;
};

static int ascending(const void *a, const void *b) {
  const Entry *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return p->circle < q->circle ? -1 : p->circle > q->circle;
}

static size_t place(uint64_t key, size_t mask) { return (key * 0x9E3779B97F4A7C15ull) >> 20 & mask; }

static void add(List *list, uint32_t id) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 16;
    list->ids = realloc(list->ids, list->room * sizeof *list->ids);
  }
  list->ids[list->count++] = id;
}

FenceGrid *fence_grid_create(const GridCircle *circles, size_t count, size_t devices) {
  FenceGrid *grid = calloc(1, sizeof *grid);
  grid->centres = malloc((count + 1) * sizeof *grid->centres);
  size_t entries = 0, room = 16;
  Entry *all = malloc(room * sizeof *all);
  for (size_t i = 0; i < count; i++) {
    GridCircle c = circles[i];
    double phi = c.latitude * degree, lambda = c.longitude * degree, chord = 2 * sin(c.radius / (2 * earth));
    grid->centres[i] = (Centre){cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi), chord * chord};
    double high = c.radius / 111194.9, wide = high / cos((fabs(c.latitude) + high) * degree);
    long right = (long)floor((c.longitude + wide + 180) / side);
    for (long row = (long)floor((c.latitude - high + 90) / side); row <= (long)floor((c.latitude + high + 90) / side); row++)
      for (long column = (long)floor((c.longitude - wide + 180) / side); column <= right; column++) {
        if (entries == room) all = realloc(all, (room *= 2) * sizeof *all);
        all[entries++] = (Entry){(uint64_t)row * COLUMNS + (uint64_t)((column + COLUMNS) % COLUMNS), (uint32_t)i};
      }
  }
  qsort(all, entries, sizeof *all, ascending);
  size_t size = 16;
  while (size < entries) size *= 2;
  grid->mask = size - 1;
  grid->cells = malloc(size * sizeof *grid->cells);
  for (size_t i = 0; i < size; i++) grid->cells[i].key = ~0ull;
  grid->ids = malloc((entries + 1) * sizeof *grid->ids);
  for (size_t i = 0; i < entries;) {
    size_t end = i;
    for (; end < entries && all[end].key == all[i].key; end++) grid->ids[end] = all[end].circle;
    size_t at = place(all[i].key, grid->mask);
    while (grid->cells[at].key != ~0ull) at = (at + 1) & grid->mask;
    grid->cells[at] = (Cell){all[i].key, (uint32_t)i, (uint32_t)end};
    i = end;
  }
  free(all);
  grid->devices = devices;
  grid->inside = calloc(devices, sizeof *grid->inside);
  return grid;
}

uint64_t fence_grid_run(FenceGrid *grid, const GridPosition *positions, size_t count) {
  uint64_t changes = 0;
  for (const GridPosition *p = positions; p < positions + count; p++) {
    List *now = &grid->now;
    now->count = 0;
    uint64_t key = (uint64_t)((p->latitude + 90) / side) * COLUMNS + (uint64_t)((p->longitude + 180) / side);
    size_t at = place(key, grid->mask);
    while (grid->cells[at].key != key && grid->cells[at].key != ~0ull) at = (at + 1) & grid->mask;
    if (grid->cells[at].key == key) {
      double phi = p->latitude * degree, lambda = p->longitude * degree;
      double x = cos(phi) * cos(lambda), y = cos(phi) * sin(lambda), z = sin(phi);
      for (uint32_t i = grid->cells[at].first; i < grid->cells[at].end; i++) {
        Centre c = grid->centres[grid->ids[i]];
        double dx = c.x - x, dy = c.y - y, dz = c.z - z;
        if (dx * dx + dy * dy + dz * dz <= c.chord) add(now, grid->ids[i]);
      }
    }
    // Both are in ascending order.
    List *before = &grid->inside[p->device];
    size_t i = 0, j = 0;
    while (i < before->count || j < now->count) {
      if (j == now->count || (i < before->count && before->ids[i] < now->ids[j])) changes++, i++;
      else if (i == before->count || now->ids[j] < before->ids[i]) changes++, j++;
      else i++, j++;
    }
    List swapped = *before;
    *before = *now;
    *now = swapped;
  }
  return changes;
}

uint64_t fence_grid_run_csv(FenceGrid *grid, const char *path) {
  enum { batch = 4096 };
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  GridPosition *positions = malloc(batch * sizeof *positions);
  char line[256];
  size_t count = 0;
  uint64_t crossings = 0;
  if (!fgets(line, sizeof line, file)) line[0] = 0;
  while (fgets(line, sizeof line, file)) {
    char *end;
    GridPosition *position = &positions[count++];
    position->device = (uint32_t)strtoul(line, &end, 10);
    position->microseconds = strtoll(end + 1, &end, 10) * 1000000;
    position->latitude = strtod(end + 1, &end);
    position->longitude = strtod(end + 1, &end);
    position->accuracy = strtof(end + 1, &end);
    if (count == batch) {
      crossings += fence_grid_run(grid, positions, count);
      count = 0;
    }
  }
  crossings += fence_grid_run(grid, positions, count);
  fclose(file);
  free(positions);
  return crossings;
}

void fence_grid_free(FenceGrid *grid) {
  for (size_t i = 0; i < grid->devices; i++) free(grid->inside[i].ids);
  free(grid->inside);
  free(grid->now.ids);
  free(grid->ids);
  free(grid->cells);
  free(grid->centres);
  free(grid);
}

size_t bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
