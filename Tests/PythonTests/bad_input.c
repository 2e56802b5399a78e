/* Calls libfencepost with damaged states, offsets, positions and files. Each is refused or evaluated; valgrind,
 * with which `run` starts this if it is installed, sees no access to memory that is not there. */
#include <fencepost.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20, ROUNDS = 600 };

static const char geojson[] =
    "{\"type\":\"Feature\",\"id\":1,\"geometry\":{\"type\":\"Point\",\"coordinates\":[13.4,52.5]}}";

/* Xorshift: the same numbers in each run. */
static uint64_t number(void) {
  static uint64_t state = 1;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* A copy of its own size, so that an access beyond its end shows. */
static void *copy(const void *bytes, size_t length) {
  void *copied = malloc(length ? length : 1);
  if (!copied) exit(3);
  memcpy(copied, bytes, length);
  return copied;
}

int main(void) {
  fp_fences *fences;
  if (fp_fences_from_geojson((const uint8_t *)geojson, strlen(geojson), &fences, NULL) != FP_OK) return 1;
  int64_t time[ROWS];
  double latitude[ROWS], longitude[ROWS];
  for (int row = 0; row < ROWS; row++) {
    time[row] = 1700000000000000 + row * (int64_t)10000000;
    latitude[row] = 52.5 + (row - 10) * 0.0003;
    longitude[row] = 13.4;
  }
  fp_states states = {.count = 1};
  fp_fixes fixes = {.count = 8, .time = time, .latitude = latitude, .longitude = longitude};
  fp_result *result;
  if (fp_evaluate(fences, NULL, &states, &fixes, &result, NULL) != FP_OK) return 1;
  size_t size = fp_result_states(result)->length;
  uint8_t *state = copy(fp_result_states(result)->bytes, size);
  fp_result_free(result);

  int evaluated = 0;
  fixes.count = ROWS;
  for (int round = 0; round < ROUNDS; round++) {
    size_t length = number() % 3 ? size : number() % (size + 1);
    uint8_t *bytes = copy(state, length);
    for (uint64_t changes = length ? number() % 3 : 0; changes > 0; changes--) {
      bytes[number() % length] = (uint8_t)number();
    }
    int64_t ends[2] = {0, number() % 5 ? (int64_t)length : (int64_t)number()};
    int64_t *offsets = copy(ends, sizeof ends);
    double *places = copy(latitude, sizeof latitude);
    places[number() % ROWS] = NAN;
    fixes.latitude = places;
    fp_states damaged = {.count = 1, .offsets = offsets, .bytes = bytes, .length = length};
    if (fp_evaluate(fences, NULL, &damaged, &fixes, &result, NULL) == FP_OK) {
      evaluated++;
      fp_result_free(result);
    }
    uint8_t out[64];
    size_t needed;
    fp_error error;
    fp_state_migrate(bytes, length, out, sizeof out, &needed, &error);

    char *file = copy(geojson, strlen(geojson));
    file[number() % strlen(geojson)] = (char)number();
    fp_fences *others;
    if (fp_fences_from_geojson((uint8_t *)file, strlen(geojson), &others, &error) == FP_OK) fp_fences_free(others);
    fp_trace *trace;
    if (fp_trace_read((uint8_t *)file, strlen(geojson), "file", &trace, &error) == FP_OK) fp_trace_free(trace);
    free(file);
    free(places);
    free(offsets);
    free(bytes);
  }
  free(state);
  fp_fences_free(fences);
  printf("Of %d damaged batches %d were evaluated, the others refused\n", ROUNDS, evaluated);
  return evaluated > 0 && evaluated < ROUNDS ? 0 : 1;
}
