import Foundation

// Binary property lists. The cursor is the marker byte of an object. Where in a container a reader
// is, the frame of its level says; so entering an object again is setting the cursor back, and
// skipping a value is doing nothing.
//
// Invariant of the loads: a marker is loaded at the cursor, which ``BinaryPropertyListInput`` has
// put before the table of offsets; more than that is loaded through its functions, and counts only
// after `isWhole(_:)`, `content(of:width:)` or `length(at:)` has said that the object is not cut
// off.

private typealias Marker = BinaryPropertyListMarker

extension ModelReader {
    /// Enters the dictionary under the cursor.
    ///
    /// - Complexity: O(1), whatever it holds.
    mutating func enterBinaryObject() throws {
        guard cursor.pointee & 0xF0 == Marker.object else { throw mismatch("object") }
        try enterBinaryContainer(isObject: true)
    }

    /// Enters the array or set under the cursor.
    mutating func enterBinaryArray() throws {
        guard Marker.array...Marker.set ~= cursor.pointee & 0xF0 else { throw mismatch("array") }
        try enterBinaryContainer(isObject: false)
    }

    /// Enters a container: checks that all of its references lie before the table, pays for its
    /// elements from the budget, and fills the frame of the level.
    @inline(__always)
    private mutating func enterBinaryContainer(isObject: Bool) throws {
        guard let input = state.binary else { throw mismatch("a container") }
        let references = isObject ? 2 : 1
        guard let (count, content) = input.pointee.length(at: cursor),
            count <= input.pointee.room(from: content) / (references * input.pointee.referenceSize)
        else { throw brokenObject("a container that ends before the table of offsets") }
        input.pointee.budget -= count + 1
        if input.pointee.budget < 0 { throw tooManyElements() }
        try descend()
        guard let frame = binaryFrame else { throw tooDeep() }
        frame.pointee = BinaryPropertyListInput.Frame(
            container: cursor,
            references: content,
            count: count,
            next: 0,
            isObject: isObject
        )
    }

    /// Moves to the value of the next member and gives its key; nil after the last one.
    ///
    /// References to keys come first, then those to values. Records of one type share their keys,
    /// so a key is looked up by its reference in a small cache before its bytes are.
    mutating func nextBinaryKey() throws -> FieldKey? {
        guard let input = state.binary, let frame = binaryFrame else { return nil }
        let index = frame.pointee.next
        if index >= frame.pointee.count {
            remainingDepth &+= 1
            return nil
        }
        frame.pointee.next = index &+ 1
        let size = input.pointee.referenceSize
        let entry = frame.pointee.references + index &* size
        let key = input.pointee.reference(at: entry)
        let value = input.pointee.reference(at: entry + frame.pointee.count &* size)
        guard let object = input.pointee.object(value) else { throw noObject(value) }
        cursor = object
        let slot =
            input.pointee.keys
            + Int(truncatingIfNeeded: key) & (BinaryPropertyListInput.keySlots &- 1)
        if slot.pointee.reference == key, key != UInt64.max { return slot.pointee.key }
        return try readBinaryKey(key, slot)
    }

    /// Reads a key that is not in its slot of the cache, and puts it there.
    @inline(never)
    private mutating func readBinaryKey(
        _ reference: UInt64,
        _ slot: UnsafeMutablePointer<BinaryPropertyListInput.KeySlot>
    ) throws -> FieldKey {
        guard let name = state.binary?.pointee.object(reference) else { throw noObject(reference) }
        let value = cursor
        cursor = name
        defer { cursor = value }
        guard name.pointee & 0xF0 == Marker.ascii || name.pointee & 0xF0 == Marker.utf16 else {
            throw brokenObject("a string as key")
        }
        let key = try readBinaryName("a string as key")
        // A name in UTF-16 is in the scratch buffer, which the next one overwrites; it is not kept.
        if name.pointee & 0xF0 == Marker.ascii {
            slot.pointee = BinaryPropertyListInput.KeySlot(reference: reference, key: key)
        }
        return key
    }

    /// The string under the cursor, as bytes of UTF-8 that are valid until the next one is read.
    mutating func readBinaryName(_ expected: String) throws -> FieldKey {
        switch cursor.pointee & 0xF0 {
        case Marker.ascii:
            let text = try binaryASCII()
            let bits = UInt64(truncatingIfNeeded: min(text.count, 7)) &* 8
            let length = UInt64(truncatingIfNeeded: min(text.count, 255))
            guard let start = text.baseAddress else { throw mismatch(expected) }
            // The table and the trailer follow, so there are eight bytes.
            let word = BinaryPropertyListInput.word(at: start).byteSwapped
            return FieldKey(
                code: word & ((1 &<< bits) &- 1) | length &<< 56,
                start: start,
                count: text.count
            )
        case Marker.utf16:
            try transcodeBinaryText()
            let name = state.scratch.elements
            return FieldKey(start: name.baseAddress ?? ReaderState.noBytes, count: name.count)
        default: throw mismatch(expected)
        }
    }

    /// Moves to the next element; false after the last one.
    mutating func nextBinaryElement() throws -> Bool {
        guard let input = state.binary, let frame = binaryFrame else { return false }
        let index = frame.pointee.next
        if index >= frame.pointee.count {
            remainingDepth &+= 1
            return false
        }
        frame.pointee.next = index &+ 1
        let entry = frame.pointee.references + index &* input.pointee.referenceSize
        let reference = input.pointee.reference(at: entry)
        guard let object = input.pointee.object(reference) else { throw noObject(reference) }
        cursor = object
        return true
    }

    /// The number of the member that is read, from 1, which errors find its name by.
    var binaryMemberNumber: Int {
        get { binaryFrame?.pointee.next ?? 0 }
        set { binaryFrame?.pointee.next = newValue }
    }

    /// Moves to the object at an offset, with so many levels left below it. The offset is one that
    /// a reader of the same document has noted; any other is kept before the table.
    mutating func moveToObject(at offset: Int, within depth: Int) {
        cursor = state.start + min(max(offset, 0), (state.binary?.pointee.lastObject ?? 0))
        remainingDepth = depth
    }

    /// How many elements the array that is read has.
    var binaryElementCount: Int {
        binaryFrame?.pointee.count ?? 0
    }

    /// The frame of the container that was entered last; nil outside of all, and after an error
    /// about depth that somebody caught.
    @inline(__always)
    private var binaryFrame: UnsafeMutablePointer<BinaryPropertyListInput.Frame>? {
        let level = ModelReader.maximumDepth &- remainingDepth
        guard let input = state.binary, level > 0, level <= ModelReader.maximumDepth else {
            return nil
        }
        return input.pointee.frames + level
    }

    // MARK: Scalars
    //
    // The cursor does not move when a value is read.

    /// Whether null is under the cursor. The format has a null that nobody writes, and the string
    /// "$null", which Foundation writes for nil.
    mutating func readBinaryNull() -> Bool {
        if cursor.pointee == Marker.null { return true }
        if cursor.pointee == Marker.utf16 | 5 {
            let units = state.binary?.pointee.content(of: cursor, width: 2)
            return units?.elementsEqual(PropertyListNull.text.utf8.flatMap { [0, $0] }) ?? false
        }
        guard cursor.pointee == Marker.ascii | 5 else { return false }
        // Eight bytes from here on are there, so these five are.
        let word = BinaryPropertyListInput.word(at: cursor + 1)
        return word >> 24 == PropertyListNull.word && isWhole(cursor + 6)
    }

    /// Whether an object that ends at `end` lies before the table of offsets.
    private func isWhole(_ end: UnsafePointer<UInt8>) -> Bool {
        (state.binary?.pointee.room(from: end) ?? -1) >= 0
    }

    /// A truth value is its marker alone; 0 and 1 are numbers.
    mutating func readBinaryBool() throws -> Bool {
        switch cursor.pointee {
        case Marker.no: return false
        case Marker.yes: return true
        default: throw mismatch("Bool")
        }
    }

    /// An integer of 1, 2, 4, 8 or 16 bytes, or a real that is whole.
    ///
    /// - Parameter type: the declared type, for messages; the caller checks whether it fits.
    mutating func readBinaryInteger(_ type: Any.Type) throws -> Int128 {
        let marker = cursor.pointee
        if marker & 0xF0 == Marker.integer {
            if marker & 0x0F <= 3 {
                let size = 1 << Int(marker & 0x0F)
                guard isWhole(cursor + 1 + size) else { throw brokenObject("\(size) bytes") }
                return Int128(BinaryPropertyListInput.integer(at: cursor + 1, size: size))
            }
            guard marker & 0x0F == 4, isWhole(cursor + 17) else {
                throw brokenObject("a number of 1, 2, 4, 8 or 16 bytes")
            }
            let high = BinaryPropertyListInput.word(at: cursor + 1)
            let low = BinaryPropertyListInput.word(at: cursor + 9)
            return Int128(Int64(bitPattern: high)) << 64 | Int128(low)
        }
        if marker & 0xF0 == Marker.real {
            let value = try readBinaryDouble()
            guard let whole = Int128(exactly: value) else {
                throw error(.numberOutOfRange, expected: "\(type)", at: cursor)
            }
            return whole
        }
        throw mismatch("\(type)")
    }

    /// A real of 4 or 8 bytes, or an integer rounded to the nearest double.
    mutating func readBinaryDouble() throws -> Double {
        switch cursor.pointee {
        case Marker.real | 3:
            guard isWhole(cursor + 9) else { throw brokenObject("8 bytes") }
            return Double(bitPattern: BinaryPropertyListInput.word(at: cursor + 1))
        case Marker.real | 2:
            guard isWhole(cursor + 5) else { throw brokenObject("4 bytes") }
            let bits = UInt32(
                truncatingIfNeeded: BinaryPropertyListInput.word(at: cursor + 1) >> 32
            )
            return Double(Float(bitPattern: bits))
        case Marker.integer...(Marker.integer | 4):
            return Double(try readBinaryInteger(Double.self))
        default:
            throw mismatch("Double")
        }
    }

    /// A decimal number is a string in property lists; numbers are read, too, and so is the
    /// dictionary that `PropertyListEncoder` makes of a `Decimal`. A real counts as its shortest
    /// text.
    mutating func readBinaryDecimal() throws -> Decimal {
        switch cursor.pointee & 0xF0 {
        case Marker.real: return try decimal(of: DocumentNumber.double(readBinaryDouble()).text)
        case Marker.integer: return try decimal(of: "\(readBinaryInteger(Decimal.self))")
        case Marker.ascii: return try decimal(of: readBinaryString())
        case Marker.object: return try readCodable(Decimal.self)
        default: throw mismatch("Decimal")
        }
    }

    /// An archive's reference to one of its objects (`CFKeyedArchiverUID`). It is a number of the
    /// archive, not a reference of the format, so it is not followed.
    mutating func readBinaryReference() throws -> Int64 {
        let size = Int(cursor.pointee & 0x0F) + 1
        guard size <= 8, isWhole(cursor + 1 + size) else {
            throw brokenObject("a reference of at most 8 bytes")
        }
        let value = BinaryPropertyListInput.integer(at: cursor + 1, size: size)
        guard value >= 0 else { throw brokenObject("a reference below 2^63") }
        return value
    }

    /// A date in seconds since 2001, or a string in ISO 8601.
    mutating func readBinaryDate() throws -> Date {
        if cursor.pointee == Marker.date {
            guard isWhole(cursor + 9) else { throw brokenObject("8 bytes") }
            let seconds = Double(bitPattern: BinaryPropertyListInput.word(at: cursor + 1))
            guard seconds.isFinite else { throw brokenObject("a finite number of seconds") }
            return Date(timeIntervalSinceReferenceDate: seconds)
        }
        return try readDateText()
    }

    /// A copy of the bytes, or what a string in base64 says. Long data is kept by its offset, so
    /// that a small file cannot make many copies of it.
    mutating func readBinaryData() throws -> Data {
        guard cursor.pointee & 0xF0 == Marker.data else { return try readDataText() }
        guard let input = state.binary, let bytes = input.pointee.content(of: cursor) else {
            throw brokenObject("data that ends before the table of offsets")
        }
        if bytes.count < BinaryPropertyListInput.longLength { return Data(bytes) }
        let offset = cursor - state.start
        if let known = input.pointee.blobs[offset] { return known }
        let data = Data(bytes)
        input.pointee.blobs[offset] = data
        return data
    }

    /// A string in ASCII or UTF-16.
    ///
    /// - Throws: ``ModelDecodingError``, also for the string that means null.
    mutating func readBinaryString() throws -> String {
        let marker = cursor.pointee & 0xF0
        if marker == Marker.ascii {
            let text = try binaryASCII()
            if text.count < BinaryPropertyListInput.longLength {
                if PropertyListNull.isNull(text) { throw nullMismatch("String") }
                return UTF8Check.string(validated: text, isASCII: true)
            }
        } else if marker != Marker.utf16 {
            throw mismatch("String")
        }
        return try readLongBinaryString(isASCII: marker == Marker.ascii)
    }

    /// The slow path: long strings, which are kept by their offset and made once, and all UTF-16.
    @inline(never)
    private mutating func readLongBinaryString(isASCII: Bool) throws -> String {
        let offset = cursor - state.start
        if let known = state.binary?.pointee.strings[offset] { return known }
        let string: String
        if isASCII {
            string = UTF8Check.string(validated: try binaryASCII(), isASCII: true)
        } else {
            try transcodeBinaryText()
            if PropertyListNull.isNull(state.scratch.elements) { throw nullMismatch("String") }
            string = UTF8Check.string(validated: state.scratch.elements)
        }
        if string.utf8.count >= BinaryPropertyListInput.longLength {
            state.binary?.pointee.strings[offset] = string
        }
        return string
    }

    /// The bytes of the ASCII string under the cursor: a view of the document, checked.
    @inline(__always)
    private mutating func binaryASCII() throws -> UnsafeBufferPointer<UInt8> {
        guard let text = state.binary?.pointee.content(of: cursor) else {
            throw brokenObject("a string that ends before the table of offsets")
        }
        // The table of offsets and the trailer follow.
        guard UTF8Check.isASCII(text, isPadded: true) else {
            throw error(
                .invalidEncoding,
                expected: "ASCII",
                found: "another byte in a string",
                at: cursor
            )
        }
        return text
    }

    /// Puts the UTF-16 string under the cursor into the scratch buffer as UTF-8.
    ///
    /// - Throws: ``ModelDecodingError`` for a lone surrogate.
    private mutating func transcodeBinaryText() throws {
        guard let units = state.binary?.pointee.content(of: cursor, width: 2) else {
            throw brokenObject("a string that ends before the table of offsets")
        }
        state.scratch.truncate(to: 0)
        var index = 0
        func unit(_ index: Int) -> UInt32 {
            UInt32(units[index]) << 8 | UInt32(units[index + 1])
        }
        while index < units.count {
            var scalar = unit(index)
            index += 2
            if scalar < 0x80 {
                state.scratch.append(UInt8(truncatingIfNeeded: scalar))
                continue
            }
            if scalar & 0xFC00 == 0xD800, index < units.count, unit(index) & 0xFC00 == 0xDC00 {
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + unit(index) & 0x3FF
                index += 2
            }
            guard let character = Unicode.Scalar(scalar) else {
                throw error(
                    .invalidEncoding,
                    expected: "a surrogate pair",
                    found: "a lone surrogate",
                    at: cursor
                )
            }
            // Invariant: `character` is a scalar, which surrogates are not, and every scalar has a
            // form in UTF-8, so `encode` gives one.
            for byte in UTF8.encode(character).unsafelyUnwrapped { state.scratch.append(byte) }
        }
    }
}
