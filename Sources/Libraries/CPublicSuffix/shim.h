// libpsl: the domains under which anybody can have one.
#include <libpsl.h>
