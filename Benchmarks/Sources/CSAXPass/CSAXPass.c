#include "CSAXPass.h"
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

static void start(void *count, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                  const xmlChar **declared, int attributes, int defaulted, const xmlChar **values) {
  ++*(long *)count;
}

static void characters(void *count, const xmlChar *text, int length) {}

static void end(void *count, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {}

long sax_pass(const char *path) {
  static char buffer[65536];
  long count = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return -1;
  xmlSAXHandler sax;
  memset(&sax, 0, sizeof sax);
  sax.initialized = XML_SAX2_MAGIC;
  sax.startElementNs = start;
  sax.endElementNs = end;
  sax.characters = characters;
  sax.ignorableWhitespace = characters;
  xmlParserCtxtPtr context = xmlCreatePushParserCtxt(&sax, &count, NULL, 0, NULL);
  size_t length;
  while ((length = fread(buffer, 1, sizeof buffer, file)) > 0) xmlParseChunk(context, buffer, (int)length, 0);
  xmlParseChunk(context, NULL, 0, 1);
  xmlFreeParserCtxt(context);
  fclose(file);
  return count;
}
