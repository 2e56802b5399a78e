/* Prints which fences the device of a trace entered and left:
 *
 *   cc transitions.c $(pkg-config --cflags --libs fencepost) -o transitions
 *   ./transitions errands.ics errands-walk.gpx
 */
#include <fencepost.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All bytes of a file. */
static uint8_t *contents(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  size_t capacity = 1 << 16;
  uint8_t *bytes = malloc(capacity);
  *length = 0;
  for (size_t count; bytes && (count = fread(bytes + *length, 1, capacity - *length, file)) > 0;) {
    *length += count;
    if (*length == capacity) bytes = realloc(bytes, capacity *= 2);
  }
  if (!bytes || ferror(file)) {
    fprintf(stderr, "%s: can't be read\n", path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

static void check(const char *path, int32_t code, const fp_error *error) {
  if (code == FP_OK) return;
  fprintf(stderr, "%s: %s\n", path, error->message);
  exit(1);
}

static const char *name(const fp_fences *fences, int64_t id) {
  static fp_fence fence;
  for (size_t index = 0; index < fp_fences_count(fences); index++) {
    if (fp_fences_get(fences, index, &fence) == FP_OK && fence.id == id) return fence.name;
  }
  return "?";
}

int main(int count, char **words) {
  if (count != 3) {
    fprintf(stderr, "usage: transitions FENCES.ics TRACE\n");
    return 2;
  }
  fp_error error;
  size_t length;
  uint8_t *bytes = contents(words[1], &length);
  fp_fences *fences;
  check(words[1], fp_fences_from_icalendar(bytes, length, &fences, &error), &error);
  free(bytes);

  bytes = contents(words[2], &length);
  fp_trace *trace;
  const char *slash = strrchr(words[2], '/');
  check(words[2], fp_trace_read(bytes, length, slash ? slash + 1 : words[2], &trace, &error), &error);
  free(bytes);

  /* All devices are new. The whole trace is one batch. */
  fp_states states = {.count = fp_trace_device_count(trace)};
  fp_result *result;
  check(words[2], fp_evaluate(fences, NULL, &states, fp_trace_fixes(trace), &result, &error), &error);

  const fp_transitions *found = fp_result_transitions(result);
  for (size_t row = 0; row < found->count; row++) {
    printf(
        "%lld.%06lld %s %s %s\n", (long long)found->time[row] / 1000000, (long long)found->time[row] % 1000000,
        fp_trace_device_name(trace, found->device[row]),
        found->kind[row] == FP_EVENT_ENTER ? "enter" : "leave", name(fences, found->fence[row]));
  }
  fp_result_free(result);
  fp_trace_free(trace);
  fp_fences_free(fences);
  return 0;
}
