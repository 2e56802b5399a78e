// libnats, a client of NATS servers. Only its types: the room JetStream loads the library when a fleet is used, so that
// nobody else needs it.
#include <nats/nats.h>
