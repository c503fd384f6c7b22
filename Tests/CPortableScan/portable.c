#define DOVETAIL_PORTABLE_SCAN
#include "CDovetailScan.h"
#include "CPortableScan.h"

const char *const portable_variant = DOVETAIL_SCAN_VARIANT;

void portable_scan16(const uint8_t *bytes, uint32_t *stops, uint32_t *high) {
    dovetail_block block = dovetail_scan16(bytes);
    *stops = block.stops;
    *high = block.high;
}

uint32_t portable_nonspaces16(const uint8_t *bytes) { return dovetail_nonspaces16(bytes); }

void portable_scan64(const uint8_t *bytes, uint64_t *stops, uint64_t *high, uint64_t *nonspaces) {
    dovetail_wide_block block = dovetail_scan64(bytes);
    *stops = block.stops;
    *high = block.high;
    *nonspaces = block.nonspaces;
}

void portable_names16(const uint8_t *bytes, uint8_t first, uint32_t *names, uint32_t *stops) {
    dovetail_name_block block = dovetail_names16(bytes, first);
    *names = block.names;
    *stops = block.stops;
}

void portable_structure64(const uint8_t *bytes, uint64_t masks[4]) {
    dovetail_structure_block block = dovetail_structure64(bytes);
    masks[0] = block.quotes;
    masks[1] = block.backslashes;
    masks[2] = block.controls;
    masks[3] = block.brackets;
}

int portable_is_utf8(const uint8_t *bytes, intptr_t count) { return dovetail_is_utf8(bytes, count); }
