// libxml2.
// Debian's libxml2 is built with ICU, and its headers bring ICU's along, whose types Foundation's own ICU defines
// otherwise: a module that sees both does not always compile. Nothing here asks libxml2 for ICU's converters.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#include <libxml/HTMLparser.h>
