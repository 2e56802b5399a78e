// SQLite, with its session extension: changes as values that can be inverted and applied. Its declarations are
// only there where the library is said to have them, which Debian's does.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// Swift can't call functions with a variable number of arguments.
static inline int fencepost_sqlite3_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
