// The names of fields and types, which are written over and over: found by where they are in the
// program.

extension BinaryPropertyListWriter {
    /// Writes the name of a field of generated code, which is a token of JSON: quotes, escapes and
    /// colon included.
    @inline(__always)
    mutating func appendKey(token: StaticString) {
        let address = UInt(bitPattern: token.utf8Start)
        if let object = names.object(at: address) {
            pending.append(object)
        } else {
            appendNewKey(token)
        }
    }

    @inline(never)
    private mutating func appendNewKey(_ token: StaticString) {
        let object = FieldToken.withName(token) { text($0) }
        names.insert(object, at: UInt(bitPattern: token.utf8Start))
        pending.append(object)
    }

    mutating func appendKey(_ name: UnsafeBufferPointer<UInt8>) {
        pending.append(text(name))
    }

    /// Writes a type key and the name of a type behind it.
    @inline(__always)
    mutating func appendTag(_ tag: Unmanaged<Conformer>) {
        let address = UInt(bitPattern: tag.toOpaque())
        if let key = names.object(at: address), let name = names.object(at: address + 1) {
            pending.append(key)
            pending.append(name)
        } else {
            appendNewTag(tag)
        }
    }

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
        // Objects are aligned, so no other one has this address.
        names.insert(pending.storage[pending.count - 1], at: address + 1)
    }

    /// Writes the name of a type as a value.
    mutating func appendName(of conformer: Conformer) {
        if conformer.isNumber, let number = Int64(conformer.names.first ?? "") {
            append(integer: Int128(number))
        } else if conformer.isBoolean {
            append(conformer.names.first == "true")
        } else {
            var name = conformer.names.first ?? ""
            pending.append(name.withUTF8 { text($0) })
        }
    }
}
