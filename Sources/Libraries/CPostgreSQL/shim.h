// libpq, PostgreSQL's client. Only its types: the room PostgreSQL loads the library when fences come from a database, so
// that nobody else needs it.
#include <postgresql/libpq-fe.h>
