import Foundation

/// The members of an object or the elements of an array before they are read.
///
/// A class with buffers of its own: a migration makes members of every object, and arrays in a
/// class are checked for exclusive access and counted at each access. One ``DocumentNode`` holds
/// them, and the ``MigratedObject`` that lent it.
///
/// A member is in one of three states. Its value is in the document (``LazyMember/slot`` is -1),
/// was read and kept (a slot, and a place in the document), or was put here by a step (a slot, and
/// a place of -1). The model reads the first two from the document and only the third as a tree.
///
/// Not `Sendable`: readers use it under the lock of the node, and the only owner without it
/// (``DocumentNode``).
final class LazyMembers {
    /// The bytes that places count from; not used for a binary property list and a tree.
    @exclusivity(unchecked) private(set) var text: LazyText
    /// Where the members of a binary property list are instead.
    @exclusivity(unchecked) private var propertyList: LazyPropertyList?
    /// How many levels may be below the members of a binary property list.
    @exclusivity(unchecked) private var depth = 0
    /// How deep below the text's own object this lies.
    let level: Int
    let isObject: Bool
    /// The members in their order.
    @exclusivity(unchecked) private(set) var members = GrowingBuffer<LazyMember>(capacity: 16)
    /// A byte of the names of the first members.
    @exclusivity(unchecked) private(set) var tags = NameTags()
    /// The bytes of names that are not in the text as they are.
    @exclusivity(unchecked) private(set) var names = GrowingBuffer<UInt8>(capacity: 32)
    /// What slots count in: values that were read and kept, or put here.
    @exclusivity(unchecked) private(set) var values = ValueSlots()
    /// Whether some of the values were read and may be unchanged.
    @exclusivity(unchecked) private var hasRead = false
    /// The reader over the text, made when the first value is read.
    @exclusivity(unchecked) private var reader: ModelReader?

    /// Deeper down everything is read at once: going over a container at every level costs as many
    /// passes over what is at the bottom.
    private static let levels = 8

    /// Makes an object or array without members.
    init(of text: LazyText, level: Int = 0, isObject: Bool = true) {
        self.text = text
        self.level = level
        self.isObject = isObject
    }

    /// Copies the members for a node of its own; the text and values are shared.
    ///
    /// - Complexity: linear in the members.
    init(copying other: LazyMembers) {
        text = other.text
        propertyList = other.propertyList
        depth = other.depth
        level = other.level
        isObject = other.isObject
        members.append(contentsOf: other.members.elements)
        tags = other.tags
        names.append(contentsOf: other.names.elements)
        for value in other.values.elements { values.append(value) }
        hasRead = other.hasRead
    }

    deinit {
        values.deallocate()
        members.deallocate()
        names.deallocate()
    }

    var count: Int { members.count }

    /// Copies the text that the members are in. One that a step kept a part of stays as it is, and
    /// another one is made.
    func putText(_ bytes: UnsafePointer<UInt8>, count: Int, isXML: Bool) {
        if !isKnownUniquelyReferenced(&text) { text = LazyText() }
        Unmanaged.passUnretained(text)._withUnsafeGuaranteedRef { text in
            if isXML != text.isXML { reader = nil }
            text.replace(with: bytes, count: count, isXML: isXML)
        }
    }

    /// Notes where the members are, in an object with so many levels below it.
    func putPropertyList(_ list: LazyPropertyList, within depth: Int) {
        if propertyList !== list { propertyList = list }
        self.depth = depth
    }

    /// Lets go of a text that is larger. Otherwise objects in each other would all hold copies of
    /// what is innermost.
    func dropText(above bytes: Int) {
        if text.capacity > bytes { text = LazyText() }
    }

    /// Lets go of values that were read and not changed: the model reads them from the document.
    func dropUnchangedValues() {
        guard hasRead else { return }
        hasRead = false
        var isChanged = false
        for place in members.elements.indices {
            let member = members[place]
            if member.value < 0 {
                isChanged = true
            } else if member.slot >= 0 {
                values[member.slot] = .null
                members[place].slot = -1
            }
        }
        if !isChanged { values.removeAll() }
    }

    /// Takes members that were read or made instead of those it has.
    ///
    /// - Parameter names: one for each value; this is an object.
    /// - Complexity: linear.
    func replaceAll(_ names: [String], _ values: [ModelDocument]) {
        removeAll()
        for (name, value) in zip(names, values) { append(name, value) }
    }

    /// Forgets the members, but keeps their memory.
    func removeAll() {
        members.truncate(to: 0)
        tags = NameTags()
        names.truncate(to: 0)
        values.removeAll()
        hasRead = false
    }

    /// Adds a member of the text.
    @inline(__always)
    func append(_ member: LazyMember) {
        tags.append(member.code, at: members.count)
        members.append(member)
    }

    /// Where so many members more can be written before they are added.
    @inline(__always)
    func room(for count: Int) -> UnsafeMutablePointer<LazyMember> { members.room(for: count) }

    /// Adds members that were written.
    ///
    /// - Parameter tags: those of all members, if these are the only ones; otherwise nil.
    @inline(__always)
    func add(_ count: Int, with tags: NameTags?) {
        let first = members.count
        members.add(count)
        if let tags, first == 0 {
            self.tags = tags
        } else {
            for place in first..<first + count { self.tags.append(members[place].code, at: place) }
        }
    }

    /// Changes the code of a member's name.
    func setCode(_ code: UInt64, at place: Int) {
        members[place].code = code
        tags.replace(code, at: place)
    }

    // MARK: Names

    /// Keeps the bytes of a name, and gives what ``LazyMember/name`` says of them.
    func keepName(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let place = names.count
        names.append(contentsOf: bytes)
        return ~place
    }

    // MARK: Values

    /// The value at a place; a container is kept, so that looking into it again is free.
    ///
    /// - Complexity: O(1) for a kept value. A container is gone over once and its members stay
    ///   unread, down to eight levels; below, and in a binary property list, it is read whole.
    func value(at place: Int) -> ModelDocument {
        // Each part is loaded alone: a copy of the member would be waited for.
        let member = members.storage + place
        if member.pointee.isPlain, member.pointee.slot < 0 {
            let start = member.pointee.value + 1
            let bytes = UnsafeBufferPointer(
                start: UnsafePointer(text.start + start),
                count: member.pointee.valueEnd - start - 1
            )
            return .string(UTF8Check.string(validated: bytes, isASCII: true))
        }
        return valueOnSlowPath(at: place)
    }

    /// The value of the last member of a name; nil without one. Complexity: as ``value(at:)``.
    @inline(__always)
    func value(of name: String) -> ModelDocument? {
        let place = find(name).last
        return place < 0 ? Optional.none : value(at: place)
    }

    /// The same for what is no string of ASCII, or is in a slot.
    @inline(never)
    private func valueOnSlowPath(at place: Int) -> ModelDocument {
        let member = members[place]
        if member.slot >= 0 { return values[member.slot] }
        let value = read(member)
        if value.isContainer { keep(value, at: place) }
        return value
    }

    /// Notes the value of a member that is not changed.
    func keep(_ value: consuming ModelDocument, at place: Int) {
        hasRead = true
        put(value, at: place)
    }

    /// Gives a member its first slot.
    @inline(__always)
    private func put(_ value: consuming ModelDocument, at place: Int) {
        members[place].slot = values.count
        values.append(value)
    }

    /// Lets a value be changed, which from now on is not the one in the text.
    func modify<Result>(
        at place: Int,
        _ body: (inout ModelDocument) -> Result
    ) -> Result {
        if members[place].slot < 0 { keep(read(members[place]), at: place) }
        members[place].value = -1
        return body(&values[members[place].slot])
    }

    /// Puts a value at a place, whatever was there. It is not read for that.
    func set(_ value: consuming ModelDocument, at place: Int) {
        members[place].value = -1
        if members[place].slot < 0 {
            put(value, at: place)
        } else {
            values[members[place].slot] = value
        }
    }

    /// Puts a value in the place of the last member of a name, or at the end.
    func set(_ value: consuming ModelDocument, of name: String) {
        let place = find(name).last
        if place < 0 { append(name, value) } else { set(value, at: place) }
    }

    /// Adds a member, or an element without a name.
    func append(_ name: String?, _ value: consuming ModelDocument) {
        append(LazyMember(value: -1, end: -1))
        if let name { setName(name, at: members.count - 1) }
        put(value, at: members.count - 1)
    }

    /// Removes a member and gives its value. Complexity: linear, as the value is read.
    func remove(at place: Int) -> ModelDocument {
        let value = value(at: place)
        removeMember(at: place)
        return value
    }

    @inline(__always)
    private func removeMember(at place: Int) {
        members.remove(at: place)
        tags.remove(at: place)
        // Of more members than have a tag, another one moved to the last place that has.
        if members.count >= NameTags.limit {
            tags.append(members[NameTags.limit - 1].code, at: NameTags.limit - 1)
        }
    }

    /// Removes the members of a name and gives the value of the last one; the others are not read.
    @inline(__always)
    func remove(_ name: String) -> ModelDocument? {
        let (last, isOnly) = find(name)
        guard last >= 0 else { return Optional.none }
        let value = value(at: last)
        removeMember(at: last)
        if !isOnly { removeAll(name) }
        return value
    }

    @inline(never)
    private func removeAll(_ name: String) {
        while let place = lastPlace(of: name) { removeMember(at: place) }
    }

    /// Runs `body` with a reader that is positioned at an offset of the text.
    ///
    /// - Returns: nil when `body` throws, which valid text is no reason for.
    func read<Value>(
        at offset: Int,
        _ body: (inout ModelReader) throws -> Value
    ) -> Value? {
        // Taken out, so that a value can be read while another one is.
        var reader = self.reader.take() ?? text.reader()
        reader.restart(text: text.bytes, at: offset)
        let value = try? body(&reader)
        self.reader = consume reader
        return value
    }

    /// Reads a value: a string at once, a container as unread members, anything else with a reader.
    /// Only JSON starts with a quote or a bracket; elements of XML are read whole.
    private func read(_ member: LazyMember) -> ModelDocument {
        if let propertyList {
            return propertyList.read(at: member.value, within: depth, name: name(of: member))
        }
        let first = text.start[member.value]
        if first == 0x22, let string = plainString(member) { return .string(string) }
        let value =
            level + 1 < Self.levels && (first == 0x7B || first == 0x5B)
            ? read(at: member.value) { ModelDocument(try inside(&$0)) }
            : read(at: member.value) { try ModelDocument(modelValue: &$0) }
        return value ?? .null
    }

    /// A string without escapes, for which no reader is needed: the text is valid.
    private func plainString(_ member: LazyMember) -> String? {
        let start = text.start + member.value + 1
        let count = member.valueEnd - member.value - 2
        guard count >= 0, memchr(start, 0x5C, count) == nil else { return nil }
        return UTF8Check.string(validated: UnsafeBufferPointer(start: start, count: count))
    }

    /// Goes over the container under the cursor of a reader of the text and notes its members.
    ///
    /// - Complexity: linear in the container and all below it, which is skipped.
    private func inside(_ reader: inout ModelReader) throws -> LazyMembers {
        let isObject = reader.byte == 0x7B
        let inner = LazyMembers(of: text, level: level + 1, isObject: isObject)
        let start = UnsafePointer(text.start)
        guard isObject else {
            var array = try reader.beginArray()
            while try reader.nextElement(in: &array) {
                let value = reader.cursor - start
                try reader.skipValue()
                inner.append(LazyMember(value: value, end: reader.cursor - start))
            }
            return inner
        }
        var object = try reader.beginObject()
        while let key = try reader.nextField(in: &object) {
            try reader.note(key, from: start, in: inner)
        }
        return inner
    }

    /// All names and values, read whole.
    ///
    /// One reader moves from place to place, so containers here are trees and not unread members:
    /// whoever asks for all of them looks into most.
    ///
    /// - Complexity: linear in the object and all below it.
    func all() -> (keys: [String], values: [ModelDocument]) {
        let keys = isObject ? members.elements.indices.map { name(at: $0) } : []
        if propertyList != nil { return (keys, members.elements.indices.map { value(at: $0) }) }
        let values = read(at: 0) { reader in
            try members.elements.map { member in
                if member.slot >= 0 { return self.values[member.slot] }
                reader.cursor = UnsafePointer(text.start) + member.value
                return try ModelDocument(modelValue: &reader)
            }
        }
        return (keys, values ?? Array(repeating: .null, count: members.count))
    }
}

extension ModelDocument {
    /// A document whose members are read when somebody asks for them.
    init(_ members: LazyMembers) {
        let node = DocumentNode(members)
        self.init(members.isObject ? .object(node) : .array(node))
    }
}
