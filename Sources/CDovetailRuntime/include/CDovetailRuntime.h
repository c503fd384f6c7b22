// What the Swift runtime tells about the images of a program: the executable and its libraries.
// ConformanceRecords.swift in DovetailModel is the only file that uses it.
//
// The layout is that of swift/shims/MetadataSections.h in the toolchain. It is not promised on
// Linux, so ConformanceRecords.swift checks the version of every image before it uses anything
// else of it.

#ifndef CDOVETAILRUNTIME_H
#define CDOVETAILRUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A section of an image in memory: its address and its length in bytes.
typedef struct {
    uintptr_t start;
    size_t length;
} dovetail_section;

/// The beginning of what the runtime keeps of an image, which is all that is used here. The runtime
/// adds new fields at the end only, and counts the version up for each.
typedef struct {
    uintptr_t version;
    const void *base_address;
    void *unused[2];
    dovetail_section protocols;
    dovetail_section conformances;
} dovetail_image;

#if !defined(__APPLE__)
/// Calls `body` with each image that holds Swift code, until it returns false, before it returns
/// itself. `context` is handed to `body`. Part of libswiftCore on all platforms but Apple's, where
/// dyld is asked for the images.
void swift_enumerateAllMetadataSections(
    bool (*body)(const dovetail_image *image, void *context),
    void *context
);
#endif

/// The witness table of a type for a protocol; null where it does not conform. `type` is the metadata
/// of a type, `protocol` the descriptor of a protocol. Part of libswiftCore everywhere: it is what
/// `as?` asks.
const void *swift_conformsToProtocol(const void *type, const void *protocol);

#endif
