// zlib.
#include <zlib.h>
