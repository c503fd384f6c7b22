// The functions of CDovetailScan.h, compiled without the instructions of any processor.

#ifndef CPORTABLESCAN_H
#define CPORTABLESCAN_H

#include <stdint.h>

/// What the header was compiled as; "portable".
extern const char *const portable_variant;

/// Gives the bits of `stops` and `high` of sixteen bytes.
void portable_scan16(const uint8_t *bytes, uint32_t *stops, uint32_t *high);
/// Gives the bits of the bytes that are no space, of sixteen.
uint32_t portable_nonspaces16(const uint8_t *bytes);
/// Gives `stops`, `high` and `nonspaces` of sixty-four bytes.
void portable_scan64(const uint8_t *bytes, uint64_t *stops, uint64_t *high, uint64_t *nonspaces);
/// Gives `names` and `stops` of sixteen bytes, and reads one more.
void portable_names16(const uint8_t *bytes, uint8_t first, uint32_t *names, uint32_t *stops);
/// Gives the bits of quotes, backslashes, control characters and brackets of sixty-four bytes.
void portable_structure64(const uint8_t *bytes, uint64_t masks[4]);
/// Whether `count` bytes, 19 at least, are UTF-8.
int portable_is_utf8(const uint8_t *bytes, intptr_t count);

#endif
