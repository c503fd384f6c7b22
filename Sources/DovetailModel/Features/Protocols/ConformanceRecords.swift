import CDovetailRuntime

#if canImport(Darwin)
    import MachO
#endif

/// The types of the program that conform to a protocol, found in the Swift runtime's own records.
///
/// The compiler writes one record for each conformance into a section of the image, which the
/// runtime needs for `as?`. ``ModelRegistry`` asks for the models among the types.
///
/// This is the only file that reads the runtime's memory. Its invariants:
///
/// - The layout of an image's sections is that of their version, which
///   ``Section/init(version:start:length:)`` checks. Records and descriptors have the layout of
///   Swift's stable ABI (`include/swift/ABI/Metadata.h` and `MetadataValues.h` of the toolchain).
/// - Sections are mapped and unchanged for the life of the process: images that hold Swift code are
///   never unloaded.
/// - The metadata accessor of a descriptor without the generic flag takes the request as its only
///   parameter. Request 0 gives complete metadata. ``metadata(of:)`` checks the flag.
enum ConformanceRecords {
    /// The runtime's records do not have the layout that this file knows. ``ModelRegistry`` then
    /// finds no conformers, and the text ends up in the error about an unknown type.
    struct UnknownLayout: Error, Hashable, CustomStringConvertible {
        let description: String

        init(_ what: String) {
            description =
                "conformers cannot be found, as \(what); list them with @ModelProtocol(conformers:)"
        }
    }

    /// The conformance records of one image: relative pointers of four bytes each. The section is
    /// `__swift5_proto` in Mach-O and `swift5_protocol_conformances` in ELF.
    struct Section: Hashable, Sendable {
        let start: UInt
        let length: Int

        /// The versions whose beginning has the layout of `dovetail_image`. One program may hold
        /// images of several versions: the toolchain's swift-syntax has version 3, others have 5.
        static let knownVersions: ClosedRange<UInt> = 3...5

        /// Checks the version on Linux. Mach-O has no version: there the section is found by name.
        init(version: UInt, start: UInt, length: Int) throws(UnknownLayout) {
            guard Self.knownVersions.contains(version) else {
                throw UnknownLayout("the Swift runtime has sections of version \(version)")
            }
            try self.init(start: start, length: length)
        }

        /// Checks what ``types(in:conformingTo:)`` relies on: whole records, aligned to four bytes.
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
        /// How many images there are, with and without Swift code.
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
        /// How many images with Swift code there are. Linear: the runtime has no count.
        static var imageCount: Int {
            var count = 0
            // Invariant: the runtime calls the closure only before it returns, with the context
            // that it was given, so the context is a valid pointer to `count`.
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
            // Invariant: as above, with `images`. Every version begins with the fields of
            // `dovetail_image`, and only these are copied.
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
    /// A record points to a conformance descriptor, which is four words of four bytes: the
    /// protocol, the type, the witness table, and flags.
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

    /// The descriptor of the protocol P of `any P`.
    ///
    /// The metadata of an existential is its kind, its flags, the number of its protocols, a
    /// superclass if the flags say so, and a pointer to the descriptor of each protocol.
    ///
    /// - Throws: ``UnknownLayout`` unless it is an existential of exactly one Swift protocol.
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

    /// Whether a type conforms to the one protocol of an existential.
    ///
    /// - Throws: ``UnknownLayout`` unless it is an existential of exactly one Swift protocol.
    static func conforms(_ type: Any.Type, to existential: Any.Type) throws(UnknownLayout) -> Bool {
        let descriptor = try descriptor(ofProtocolIn: existential)
        // Invariant: both are what the runtime's function takes, metadata and a descriptor.
        return swift_conformsToProtocol(
            unsafeBitCast(type, to: UnsafeRawPointer.self),
            descriptor
        ) != nil
    }

    /// The descriptor of the type that conforms; nil for classes of Objective-C. Bits 3 to 5 of the
    /// flags say how the record refers to it: 0 directly, 1 by way of a pointer.
    private static func nominalType(of conformance: UnsafeRawPointer) -> UnsafeRawPointer? {
        let flags = conformance.load(fromByteOffset: 12, as: UInt32.self)
        switch flags >> 3 & 7 {
        case 0: return target(of: conformance + 4)
        case 1: return target(of: conformance + 4)?.load(as: UnsafeRawPointer?.self)
        default: return nil
        }
    }

    /// The type that a descriptor describes; nil for a generic one.
    ///
    /// A descriptor begins with four words of four bytes: flags, parent, name, and the accessor
    /// that is called here. The kinds 16 to 18 are class, struct and enum; bit 7 of the flags says
    /// generic.
    private static func metadata(of type: UnsafeRawPointer) -> Any.Type? {
        typealias Accessor = @convention(c) (UInt) -> UnsafeRawPointer?
        let flags = type.load(as: UInt32.self)
        let isNominal = 16...18 ~= flags & 0x1F
        let isGeneric = flags & 0x80 != 0
        guard isNominal, !isGeneric, let accessor = target(of: type + 12) else { return nil }
        // Swift's calling convention passes one word and returns two. It passes that word, and
        // returns the first of the two, in the registers that C's convention uses.
        return unsafeBitCast(accessor, to: Accessor.self)(0).map {
            unsafeBitCast($0, to: Any.Type.self)
        }
    }

    /// Where a relative pointer points; nil for null. The offset counts from the pointer itself.
    private static func target(of field: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = field.load(as: Int32.self)
        return offset == 0 ? nil : field + Int(offset)
    }

    /// Where a relative pointer points. If its lowest bit is set, it leads to an absolute pointer,
    /// which is followed: the protocol may be of another image.
    private static func indirectTarget(of field: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = field.load(as: Int32.self)
        guard offset != 0 else { return nil }
        let place = field + Int(offset & ~1)
        return offset & 1 == 0 ? place : place.load(as: UnsafeRawPointer?.self)
    }
}
