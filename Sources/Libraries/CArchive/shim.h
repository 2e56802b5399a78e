// libarchive.
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

/// The locale for carchive_next, which costs some 50 microseconds; 0 where the system has none.
static inline locale_t carchive_utf8(void) { return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

/// Passes to the next member (archive_read_next_header(3)), whose path is UTF-8 or as the archive has it: libarchive converts
/// names to the locale's encoding, and a program that sets no locale has ASCII.
static inline int carchive_next(
  struct archive *archive, locale_t utf8, struct archive_entry **entry, const char **path
) {
  locale_t before = uselocale(utf8);
  int result = archive_read_next_header(archive, entry);
  *path = *entry ? archive_entry_pathname(*entry) : 0;
  uselocale(before);
  return result;
}
