// The names of fields and types, which are written over and over: found by where they are in the
// program. A name that was written before costs one look-up by its address; its bytes are not read.

extension BinaryPropertyListWriter {
    /// Writes the name of a field of generated code, which is a token of JSON: quotes, escapes and
    /// colon included.
    @inline(__always)
    mutating func appendKey(token: StaticString) {
        let address = UInt(bitPattern: token.utf8Start)
        if let object = names.value(at: address) {
            pending.append(object)
        } else {
            appendNewKey(token)
        }
    }

    /// Writes a name that is met for the first time at this address. Another literal of the same
    /// text shares its object (``text(_:)``).
    @inline(never)
    private mutating func appendNewKey(_ token: StaticString) {
        let object = FieldToken.withName(token) { text($0) }
        names.insert(object, at: UInt(bitPattern: token.utf8Start))
        pending.append(object)
    }

    /// Writes a name that is a value of the program: a key of a dictionary or of a document.
    mutating func appendKey(_ name: UnsafeBufferPointer<UInt8>) {
        pending.append(text(name))
    }

    /// Writes a type key and the name of a type as its value.
    ///
    /// - Parameter tag: the conformer, whose address is the key of the table. The table of its
    ///   protocol keeps it alive (``ConformerTable``).
    @inline(__always)
    mutating func appendTag(_ tag: Unmanaged<Conformer>) {
        let address = UInt(bitPattern: tag.toOpaque())
        if let key = names.value(at: address), let name = names.value(at: address + 1) {
            pending.append(key)
            pending.append(name)
        } else {
            appendNewTag(tag)
        }
    }

    /// The same for a conformer that is met for the first time.
    @inline(never)
    private mutating func appendNewTag(_ tag: Unmanaged<Conformer>) {
        let conformer = tag.takeUnretainedValue()
        let address = UInt(bitPattern: tag.toOpaque())
        let key = text(
            UnsafeBufferPointer(
                start: conformer.typeKey.utf8Start,
                count: conformer.typeKey.utf8CodeUnitCount
            )
        )
        pending.append(key)
        appendName(of: conformer)
        names.insert(key, at: address)
        // The address of the conformer is taken by its key. The next one lies inside of the same
        // object, so nothing else in the table has it.
        names.insert(pending.storage[pending.count - 1], at: address + 1)
    }

    /// Writes the name of a type as a value, which is an integer or a truth value where the
    /// protocol has tags of these kinds.
    mutating func appendName(of conformer: Conformer) {
        if conformer.isNumber, let number = Int64(conformer.names.first ?? "") {
            append(integer: Int128(number))
        } else if conformer.isBoolean {
            append(conformer.names.first == "true")
        } else if conformer.isFraction, let number = Double(conformer.names.first ?? "") {
            append(real: number)
        } else {
            var name = conformer.names.first ?? ""
            pending.append(name.withUTF8 { text($0) })
        }
    }
}
