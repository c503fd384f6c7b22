// What the Swift runtime tells about the images of a program, as ConformanceRecords.swift reads it.
// The layout is that of swift/shims/MetadataSections.h in the toolchain.

#ifndef CDOVETAILRUNTIME_H
#define CDOVETAILRUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A section of an image in memory.
typedef struct {
    uintptr_t start;
    size_t length;
} dovetail_section;

/// The beginning of what the runtime keeps of an image. New fields are added at its end only, and
/// each of them is a new version.
typedef struct {
    uintptr_t version;
    const void *base_address;
    void *unused[2];
    dovetail_section protocols;
    dovetail_section conformances;
} dovetail_image;

#if !defined(__APPLE__)
/// Calls `body` with each image that holds Swift code, until it returns false. Part of libswiftCore.
void swift_enumerateAllMetadataSections(
    bool (*body)(const dovetail_image *image, void *context),
    void *context
);
#endif

#endif
