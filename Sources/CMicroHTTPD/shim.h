// libmicrohttpd, an HTTP server.
#include <microhttpd.h>
