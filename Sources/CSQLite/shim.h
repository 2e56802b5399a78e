// SQLite.
#include <sqlite3.h>
