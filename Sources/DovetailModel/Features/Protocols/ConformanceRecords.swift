#if canImport(Darwin)
    import MachO
#else
    import CDovetailRuntime
#endif

/// The types of the program that conform to a protocol, as the Swift runtime's own records tell.
///
/// This is the only file that reads the runtime's memory. What it relies on:
///
/// - The layout of an image's sections is that of their version, which is checked; records and
///   descriptors are those of Swift's stable ABI (`ABI/Metadata.h`, `ABI/MetadataValues.h`).
/// - Sections are mapped and unchanged for the life of the process: images that hold Swift code are
///   never unloaded.
/// - A descriptor without the generic flag has a metadata accessor without parameters but the
///   request, which answers request 0 with complete metadata.
enum ConformanceRecords {
    /// The runtime's records are not as this file knows them.
    struct UnknownLayout: Error, Hashable, CustomStringConvertible {
        let description: String

        init(_ what: String) {
            description =
                "conformers cannot be found, as \(what); list them with @ModelProtocol(conformers:)"
        }
    }

    /// The conformance records of an image.
    struct Section: Hashable, Sendable {
        let start: UInt
        let length: Int

        /// The versions of an image's sections whose beginning is as `dovetail_image` declares it. A
        /// program may hold images of several: the toolchain's swift-syntax has 3 beside 5.
        static let knownVersions: ClosedRange<UInt> = 3...5

        init(version: UInt, start: UInt, length: Int) throws(UnknownLayout) {
            guard Self.knownVersions.contains(version) else {
                throw UnknownLayout("the Swift runtime has sections of version \(version)")
            }
            try self.init(start: start, length: length)
        }

        init(start: UInt, length: Int) throws(UnknownLayout) {
            // An empty section may begin anywhere.
            guard length == 0 || length > 0 && length % 4 == 0 && start % 4 == 0 else {
                throw UnknownLayout("conformance records are not of four bytes")
            }
            self.start = start
            self.length = length
        }
    }
}

// The images.

extension ConformanceRecords {
    #if canImport(Darwin)
        /// How many images there are.
        static var imageCount: Int { Int(_dyld_image_count()) }

        /// The conformance records of every image.
        static func sections() throws(UnknownLayout) -> [Section] {
            var sections: [Section] = []
            for index in 0..<_dyld_image_count() {
                guard let header = _dyld_get_image_header(index) else { continue }
                var length: UInt = 0
                // 64-bit programs have 64-bit headers only.
                let start = UnsafeRawPointer(header)
                    .withMemoryRebound(to: mach_header_64.self, capacity: 1) {
                        getsectiondata($0, "__TEXT", "__swift5_proto", &length)
                    }
                guard let start else { continue }
                sections.append(try Section(start: UInt(bitPattern: start), length: Int(length)))
            }
            return sections
        }
    #else
        /// How many images there are.
        static var imageCount: Int {
            var count = 0
            // The runtime calls the closure before it returns, with the pointer it was given.
            withUnsafeMutablePointer(to: &count) { count in
                swift_enumerateAllMetadataSections(
                    { _, context in
                        context?.assumingMemoryBound(to: Int.self).pointee += 1
                        return true
                    },
                    count
                )
            }
            return count
        }

        /// The conformance records of every image.
        static func sections() throws(UnknownLayout) -> [Section] {
            var images: [dovetail_image] = []
            // As above. An image is copied as far as `dovetail_image` goes, which every version has.
            withUnsafeMutablePointer(to: &images) { images in
                swift_enumerateAllMetadataSections(
                    { image, context in
                        if let image {
                            context?.assumingMemoryBound(to: [dovetail_image].self)
                                .pointee.append(image.pointee)
                        }
                        return true
                    },
                    images
                )
            }
            var sections: [Section] = []
            for image in images {
                let records = image.conformances
                sections.append(
                    try Section(
                        version: UInt(image.version),
                        start: UInt(records.start),
                        length: Int(records.length)
                    )
                )
            }
            return sections
        }
    #endif
}

// The records.

extension ConformanceRecords {
    /// The types in an image that conform to a protocol, without generic ones.
    ///
    /// - Complexity: linear in the image's conformances, some 20 ns for each.
    static func types(in section: Section, conformingTo descriptor: UnsafeRawPointer) -> [Any.Type]
    {
        guard let start = UnsafeRawPointer(bitPattern: section.start) else { return [] }
        var types: [Any.Type] = []
        for offset in stride(from: 0, to: section.length, by: 4) {
            guard let conformance = target(of: start + offset),
                indirectTarget(of: conformance) == descriptor,
                let type = nominalType(of: conformance),
                let found = metadata(of: type)
            else { continue }
            types.append(found)
        }
        return types
    }

    /// Where the runtime describes the protocol P of `any P`: the existential is its kind, its flags,
    /// the number of its protocols, a superclass if the flags say so, and a pointer to each of them.
    static func descriptor(
        ofProtocolIn existential: Any.Type
    ) throws(UnknownLayout) -> UnsafeRawPointer {
        let existentialKind = 0x303
        let superclassFlag: UInt32 = 0x4000_0000
        let word = MemoryLayout<UInt>.size
        let metadata = unsafeBitCast(existential, to: UnsafeRawPointer.self)
        guard metadata.load(as: Int.self) == existentialKind,
            metadata.load(fromByteOffset: word + 4, as: UInt32.self) == 1
        else { throw UnknownLayout("the Swift runtime describes \(existential) in another way") }
        let flags = metadata.load(fromByteOffset: word, as: UInt32.self)
        let place = word + 8 + (flags & superclassFlag == 0 ? 0 : word)
        let protocolKind: UInt32 = 3
        guard let descriptor = metadata.load(fromByteOffset: place, as: UnsafeRawPointer?.self),
            descriptor.load(as: UInt32.self) & 0x1F == protocolKind
        else { throw UnknownLayout("the Swift runtime describes \(existential) in another way") }
        return descriptor
    }

    /// The descriptor of the type that conforms; nil for classes of Objective-C.
    private static func nominalType(of conformance: UnsafeRawPointer) -> UnsafeRawPointer? {
        let flags = conformance.load(fromByteOffset: 12, as: UInt32.self)
        switch flags >> 3 & 7 {
        case 0: return target(of: conformance + 4)
        case 1: return target(of: conformance + 4)?.load(as: UnsafeRawPointer?.self)
        default: return nil
        }
    }

    /// The type that a descriptor describes; nil for a generic one.
    private static func metadata(of type: UnsafeRawPointer) -> Any.Type? {
        typealias Accessor = @convention(c) (UInt) -> UnsafeRawPointer?
        let flags = type.load(as: UInt32.self)
        let isNominal = 16...18 ~= flags & 0x1F
        let isGeneric = flags & 0x80 != 0
        guard isNominal, !isGeneric, let accessor = target(of: type + 12) else { return nil }
        // Swift's convention passes one word, and returns the first of two, where C's does.
        return unsafeBitCast(accessor, to: Accessor.self)(0).map {
            unsafeBitCast($0, to: Any.Type.self)
        }
    }

    /// Where a relative pointer points; nil for null.
    private static func target(of field: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = field.load(as: Int32.self)
        return offset == 0 ? nil : field + Int(offset)
    }

    /// Where a relative pointer points, at once or, where its lowest bit is set, by a pointer.
    private static func indirectTarget(of field: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = field.load(as: Int32.self)
        guard offset != 0 else { return nil }
        let place = field + Int(offset & ~1)
        return offset & 1 == 0 ? place : place.load(as: UnsafeRawPointer?.self)
    }
}
