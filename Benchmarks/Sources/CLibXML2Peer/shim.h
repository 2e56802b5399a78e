// libxml2.
#include <libxml/parser.h>
