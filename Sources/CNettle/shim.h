// Nettle: HMAC.
#include <nettle/hmac.h>
