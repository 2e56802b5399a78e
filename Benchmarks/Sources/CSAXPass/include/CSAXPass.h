// A pass of libxml2 over a file, with callbacks that only count: what reading XML costs before anything is made of it.

/// The number of elements in the file at `path`; -1 where it cannot be read.
long sax_pass(const char *path);
