// libical.
#include <libical/ical.h>
