// libyajl, a parser of JSON that calls back and knows where it is.
#include <yajl/yajl_parse.h>

/// Lets a text have comments (yajl_config(3)), which is variadic and not seen from Swift.
static inline int cyajl_allow_comments(yajl_handle parser) {
  return yajl_config(parser, yajl_allow_comments, 1);
}
