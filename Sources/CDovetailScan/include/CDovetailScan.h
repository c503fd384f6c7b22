// Compares blocks of bytes and answers with masks: one bit for each byte, the first byte lowest.
// And validates UTF-8 in the same way.
//
// This is C because Swift's SIMD comparisons compile to loops over the lanes, and nothing in Swift
// turns a vector into a mask.
//
// No function knows where its input ends. Each loads as many bytes as its comment says, and the
// caller has checked that they are there: ModelReader+Bytes.swift, BlockScanner.swift and
// UTF8Check.swift in DovetailModel, ElementBoundary.swift in DovetailFiles. No function needs its
// bytes aligned.

#ifndef CDOVETAILSCAN_H
#define CDOVETAILSCAN_H

#include <stdint.h>

// There is a variant for SSE2, one for NEON, and plain loops for every other processor. A file that
// defines DOVETAIL_PORTABLE_SCAN gets the loops on any processor: Tests/CPortableScan does, and
// PortableScanTests.swift compares their answers with those of the variant for this processor.
#if defined(DOVETAIL_PORTABLE_SCAN)
#define DOVETAIL_SCAN_VARIANT "portable"
#elif defined(__SSE2__)
#define DOVETAIL_SCAN_SSE2
#define DOVETAIL_SCAN_VARIANT "SSE2"
#elif defined(__ARM_NEON)
#define DOVETAIL_SCAN_NEON
#define DOVETAIL_SCAN_VARIANT "NEON"
#else
#define DOVETAIL_SCAN_VARIANT "portable"
#endif

/// Sixteen bytes of a JSON string (RFC 8259, section 7); the upper sixteen bits are 0.
typedef struct {
    /// Quotes, backslashes and bytes below 0x20: what ends the plain run of a string.
    uint32_t stops;
    /// Bytes of 0x80 and above: what makes a string other than ASCII.
    uint32_t high;
} dovetail_block;

#if defined(DOVETAIL_SCAN_SSE2)

#include <emmintrin.h>

/// A lane of ones for each byte that ends a plain run.
static inline __m128i dovetail_stops(__m128i block) {
    __m128i quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    __m128i backslashes = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    // Unsigned x < 0x20 is x == min(x, 0x1F).
    __m128i controls = _mm_cmpeq_epi8(block, _mm_min_epu8(block, _mm_set1_epi8(0x1F)));
    return _mm_or_si128(_mm_or_si128(quotes, backslashes), controls);
}

/// Loads sixteen bytes.
static inline dovetail_block dovetail_scan16(const uint8_t *bytes) {
    __m128i block = _mm_loadu_si128((const __m128i *)bytes);
    dovetail_block result = {
        (uint32_t)_mm_movemask_epi8(dovetail_stops(block)), (uint32_t)_mm_movemask_epi8(block)};
    return result;
}

/// Marks the bytes that are no space (0x20), and loads sixteen bytes. Line breaks and tabs are
/// marked too: an indented line is one line break and a run of spaces.
static inline uint32_t dovetail_nonspaces16(const uint8_t *bytes) {
    __m128i block = _mm_loadu_si128((const __m128i *)bytes);
    __m128i spaces = _mm_cmpeq_epi8(block, _mm_set1_epi8(' '));
    return (uint32_t)_mm_movemask_epi8(spaces) ^ 0xFFFF;
}

#elif defined(DOVETAIL_SCAN_NEON)

#include <arm_neon.h>

/// One bit for each lane of ones or zeros. NEON has no such instruction: each lane keeps the bit of
/// its place, and the lanes of a half are added.
static inline uint32_t dovetail_mask16(uint8x16_t lanes) {
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(lanes, weights);
    return (uint32_t)vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

static inline dovetail_block dovetail_scan16(const uint8_t *bytes) {
    uint8x16_t block = vld1q_u8(bytes);
    uint8x16_t quotes = vceqq_u8(block, vdupq_n_u8('"'));
    uint8x16_t backslashes = vceqq_u8(block, vdupq_n_u8('\\'));
    uint8x16_t controls = vcltq_u8(block, vdupq_n_u8(0x20));
    uint8x16_t high = vcgeq_u8(block, vdupq_n_u8(0x80));
    dovetail_block result = {
        dovetail_mask16(vorrq_u8(vorrq_u8(quotes, backslashes), controls)),
        dovetail_mask16(high)};
    return result;
}

static inline uint32_t dovetail_nonspaces16(const uint8_t *bytes) {
    return dovetail_mask16(vceqq_u8(vld1q_u8(bytes), vdupq_n_u8(' '))) ^ 0xFFFF;
}

#else

static inline dovetail_block dovetail_scan16(const uint8_t *bytes) {
    dovetail_block result = {0, 0};
    for (int index = 0; index < 16; index++) {
        uint8_t byte = bytes[index];
        result.stops |= (uint32_t)(byte == '"' || byte == '\\' || byte < 0x20) << index;
        result.high |= (uint32_t)(byte >> 7) << index;
    }
    return result;
}

static inline uint32_t dovetail_nonspaces16(const uint8_t *bytes) {
    uint32_t result = 0;
    for (int index = 0; index < 16; index++) result |= (uint32_t)(bytes[index] != ' ') << index;
    return result;
}

#endif

/// The three masks of sixty-four bytes, as above.
typedef struct {
    uint64_t stops;
    uint64_t high;
    uint64_t nonspaces;
} dovetail_wide_block;

/// Loads sixty-four bytes.
static inline dovetail_wide_block dovetail_scan64(const uint8_t *bytes) {
    dovetail_wide_block result = {0, 0, 0};
    for (int part = 0; part < 4; part++) {
        dovetail_block block = dovetail_scan16(bytes + 16 * part);
        result.stops |= (uint64_t)block.stops << (16 * part);
        result.high |= (uint64_t)block.high << (16 * part);
        result.nonspaces |= (uint64_t)dovetail_nonspaces16(bytes + 16 * part) << (16 * part);
    }
    return result;
}

/// Sixteen lanes in the vector extension of Clang and GCC, which compiles for every processor. A
/// comparison gives a lane of ones or zeros.
typedef uint8_t dovetail_lanes __attribute__((vector_size(16)));

/// Loads sixteen bytes.
static inline dovetail_lanes dovetail_load(const uint8_t *bytes) {
    dovetail_lanes result;
    __builtin_memcpy(&result, bytes, sizeof result);
    return result;
}

/// One bit for each lane of ones or zeros.
#if defined(DOVETAIL_SCAN_SSE2)
static inline uint32_t dovetail_lane_mask(dovetail_lanes lanes) {
    return (uint32_t)_mm_movemask_epi8((__m128i)lanes);
}
#elif defined(DOVETAIL_SCAN_NEON)
static inline uint32_t dovetail_lane_mask(dovetail_lanes lanes) {
    return dovetail_mask16((uint8x16_t)lanes);
}
#else
static inline uint32_t dovetail_lane_mask(dovetail_lanes lanes) {
    uint32_t result = 0;
    for (int index = 0; index < 16; index++) result |= (uint32_t)(lanes[index] >> 7) << index;
    return result;
}
#endif

/// Where a name may begin among sixteen bytes.
typedef struct {
    /// Quotes before a byte that is `first`.
    uint32_t names;
    /// Brackets, braces, backslashes and vertical bars. A search in one object ends there. The bar
    /// is no stop in JSON; it costs nothing and is rare.
    uint32_t stops;
} dovetail_name_block;

/// Looks for a name that begins with `first`. Loads seventeen bytes: the byte after the last quote
/// is looked at as well.
static inline dovetail_name_block dovetail_names16(const uint8_t *bytes, uint8_t first) {
    dovetail_lanes block = dovetail_load(bytes);
    dovetail_lanes next = dovetail_load(bytes + 1);
    // [ \ ] are 0x5B to 0x5D and { | } are 0x7B to 0x7D: with bit 0x20 set, the six bytes are
    // three.
    dovetail_lanes stops = (dovetail_lanes)(((block | 0x20) - 0x7B) <= 2);
    dovetail_lanes names = (dovetail_lanes)((block == '"') & (next == first));
    dovetail_name_block result = {dovetail_lane_mask(names), dovetail_lane_mask(stops)};
    return result;
}

/// What the structure of a document is made of, among sixty-four bytes.
typedef struct {
    uint64_t quotes;
    uint64_t backslashes;
    /// Bytes below 0x20.
    uint64_t controls;
    /// Brackets and braces.
    uint64_t brackets;
} dovetail_structure_block;

/// Loads sixty-four bytes.
static inline dovetail_structure_block dovetail_structure64(const uint8_t *bytes) {
    dovetail_structure_block result = {0, 0, 0, 0};
    for (int part = 0; part < 4; part++) {
        dovetail_lanes block = dovetail_load(bytes + 16 * part);
        dovetail_lanes quotes = (dovetail_lanes)(block == '"');
        dovetail_lanes backslashes = (dovetail_lanes)(block == '\\');
        dovetail_lanes controls = (dovetail_lanes)(block <= 0x1F);
        // With bit 0x20 set, [ and { are 0x7B, ] and } are 0x7D.
        dovetail_lanes upper = block | 0x20;
        dovetail_lanes brackets = (dovetail_lanes)((upper == 0x7B) | (upper == 0x7D));
        result.quotes |= (uint64_t)dovetail_lane_mask(quotes) << (16 * part);
        result.backslashes |= (uint64_t)dovetail_lane_mask(backslashes) << (16 * part);
        result.controls |= (uint64_t)dovetail_lane_mask(controls) << (16 * part);
        result.brackets |= (uint64_t)dovetail_lane_mask(brackets) << (16 * part);
    }
    return result;
}

/// The lanes of `bytes` that break UTF-8 (RFC 3629, section 4), given the bytes that are one, two
/// and three places before each. A lead that the last bytes do not complete is not seen here.
static inline dovetail_lanes dovetail_utf8_errors(
    dovetail_lanes bytes, dovetail_lanes one, dovetail_lanes two, dovetail_lanes three
) {
    dovetail_lanes continues = (dovetail_lanes)((bytes & 0xC0) == 0x80);
    dovetail_lanes expected =
        (dovetail_lanes)((one >= 0xC0) | (two >= 0xE0) | (three >= 0xF0));
    // C0 and C1 start overlong forms, F5 and above no character of Unicode.
    dovetail_lanes leads = (dovetail_lanes)(((bytes & 0xFE) == 0xC0) | (bytes >= 0xF5));
    // The byte after these leads is limited further: overlong forms, surrogates, U+10FFFF.
    dovetail_lanes early = (dovetail_lanes)(
        ((one == 0xE0) & (bytes < 0xA0)) | ((one == 0xF0) & (bytes < 0x90)));
    dovetail_lanes late = (dovetail_lanes)(
        ((one == 0xED) & (bytes >= 0xA0)) | ((one == 0xF4) & (bytes >= 0x90)));
    return (continues ^ expected) | leads | early | late;
}

/// Whether `count` bytes, 19 at least, are well-formed UTF-8. Loads no byte outside of them.
///
/// There is no branch on what the bytes are: a validator that goes character by character spends
/// most of its time on mispredicted branches. So it reads to the end also when the first byte is
/// wrong.
static inline int dovetail_is_utf8(const uint8_t *bytes, intptr_t count) {
    const dovetail_lanes zero = {0};
    dovetail_lanes first = dovetail_load(bytes);
    dovetail_lanes errors = dovetail_utf8_errors(
        first,
        __builtin_shufflevector(
            zero, first, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30),
        __builtin_shufflevector(
            zero, first, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29),
        __builtin_shufflevector(
            zero, first, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28));
    for (intptr_t done = 16; done < count; done += 16) {
        // The last block ends with the bytes and overlaps the one before it. It begins at 3 or
        // later, as there are 19 bytes, so the loads of the bytes before it stay inside.
        const uint8_t *next = bytes + (done + 16 <= count ? done : count - 16);
        errors |= dovetail_utf8_errors(
            dovetail_load(next), dovetail_load(next - 1), dovetail_load(next - 2),
            dovetail_load(next - 3));
    }
    uint64_t halves[2];
    __builtin_memcpy(halves, &errors, sizeof halves);
    // No character may be incomplete at the end.
    return (halves[0] | halves[1]) == 0 && bytes[count - 1] < 0xC0 && bytes[count - 2] < 0xE0
        && bytes[count - 3] < 0xF0;
}

#endif
