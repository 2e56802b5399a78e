// GMime, for reading mails.
//
// Casts between GLib's types are macros, which Swift does not see. These functions do them, and take and return plain
// pointers. A part belongs to its message; a message and a buffer are freed by the functions below.
#ifndef FENCEPOST_CGMIME_H
#define FENCEPOST_CGMIME_H
#include <gmime/gmime.h>

/// The message in `count` bytes, or NULL. Copies them.
static inline void *cgmime_message_new(const char *bytes, size_t count) {
  GMimeStream *stream = g_mime_stream_mem_new_with_buffer(bytes, count);
  GMimeParser *parser = g_mime_parser_new_with_stream(stream);
  g_mime_parser_set_persist_stream(parser, TRUE);
  GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
  g_object_unref(parser);
  g_object_unref(stream);
  return message;
}

static inline void cgmime_message_free(void *message) { g_object_unref(message); }

static inline void *cgmime_message_body(void *message) { return g_mime_message_get_mime_part((GMimeMessage *)message); }

/// The first value of a header as it is written, or NULL.
static inline const char *cgmime_header(void *object, const char *name) {
  return g_mime_object_get_header((GMimeObject *)object, name);
}

/// The first address of a sender (From), or NULL.
static inline const char *cgmime_sender(void *message) {
  InternetAddressList *from = g_mime_message_get_from((GMimeMessage *)message);
  if (!from || internet_address_list_length(from) < 1) return NULL;
  InternetAddress *address = internet_address_list_get_address(from, 0);
  if (!INTERNET_ADDRESS_IS_MAILBOX(address)) return NULL;
  return internet_address_mailbox_get_addr((InternetAddressMailbox *)address);
}

/// The subject of a message, decoded, or NULL.
static inline const char *cgmime_subject(void *message) {
  return g_mime_message_get_subject((GMimeMessage *)message);
}

/// The date of a message in seconds since 1970, or 0 if it has none.
static inline int64_t cgmime_date(void *message) {
  GDateTime *date = g_mime_message_get_date((GMimeMessage *)message);
  return date ? g_date_time_to_unix(date) : 0;
}

/// How many addresses From has.
static inline int cgmime_sender_count(void *message) {
  InternetAddressList *from = g_mime_message_get_from((GMimeMessage *)message);
  return from ? internet_address_list_length(from) : 0;
}

/// The number of parts of a multipart; -1 for anything else.
static inline int cgmime_part_count(void *object) {
  return GMIME_IS_MULTIPART(object) ? g_mime_multipart_get_count((GMimeMultipart *)object) : -1;
}

static inline void *cgmime_part(void *object, int index) {
  return g_mime_multipart_get_part((GMimeMultipart *)object, index);
}

/// The message that a message/rfc822 part holds, or NULL.
static inline void *cgmime_forwarded(void *object) {
  return GMIME_IS_MESSAGE_PART(object) ? g_mime_message_part_get_message((GMimeMessagePart *)object) : NULL;
}

/// The type and the subtype of a part.
static inline const char *cgmime_type(void *object) {
  GMimeContentType *type = g_mime_object_get_content_type((GMimeObject *)object);
  return type ? g_mime_content_type_get_media_type(type) : NULL;
}
static inline const char *cgmime_subtype(void *object) {
  GMimeContentType *type = g_mime_object_get_content_type((GMimeObject *)object);
  return type ? g_mime_content_type_get_media_subtype(type) : NULL;
}

/// A parameter of a part's type, such as its character set, or NULL.
static inline const char *cgmime_parameter(void *object, const char *name) {
  return g_mime_object_get_content_type_parameter((GMimeObject *)object, name);
}

/// The name of an attached file, or NULL.
static inline const char *cgmime_filename(void *object) {
  return GMIME_IS_PART(object) ? g_mime_part_get_filename((GMimePart *)object) : NULL;
}

/// A part's content without its transfer encoding, or NULL.
static inline GByteArray *cgmime_content(void *object) {
  if (!GMIME_IS_PART(object)) return NULL;
  GMimeDataWrapper *content = g_mime_part_get_content((GMimePart *)object);
  if (!content) return NULL;
  GByteArray *bytes = g_byte_array_new();
  GMimeStream *stream = g_mime_stream_mem_new_with_byte_array(bytes);
  g_mime_stream_mem_set_owner((GMimeStreamMem *)stream, FALSE);
  g_mime_data_wrapper_write_to_stream(content, stream);
  g_object_unref(stream);
  return bytes;
}

static inline void cgmime_content_free(GByteArray *bytes) { g_byte_array_free(bytes, TRUE); }

/// `count` bytes of a character set in UTF-8, or NULL where it is not known or the bytes are not of it. Free with g_free.
static inline char *cgmime_utf8(const char *bytes, size_t count, const char *charset, size_t *written) {
  return g_convert(bytes, (gssize)count, "UTF-8", g_mime_charset_iconv_name(charset), NULL, written, NULL);
}
#endif
