// What a migration sees of a document is mostly left as it is. So the object that it gets holds its
// members as places in the object's text; a member becomes a tree when somebody looks into it, one
// level at a time, and what nobody looked into is read where it stands or copied as text.

/// The text of an object that parts of a document were not read from yet.
///
/// Invariant of the unchecked `Sendable`: the bytes are those of valid JSON, and change only while
/// one reference is left (``replace(with:count:depth:)``).
final class DocumentText: @unchecked Sendable {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private(set) var capacity: Int
    /// How many levels below the object a reader would have gone.
    private(set) var depth = 0

    init() {
        capacity = 512
        start = .allocate(capacity: capacity)
    }

    /// Takes another text, for a caller that holds the one reference.
    func replace(with bytes: UnsafePointer<UInt8>, count: Int, depth: Int) {
        if count > capacity {
            start.deallocate()
            capacity = count
            start = .allocate(capacity: capacity)
        }
        start.update(from: bytes, count: count)
        self.count = count
        self.depth = depth
    }

    deinit {
        start.deallocate()
    }
}

/// A member of an object, or an element of an array, as a place in a text. All places are offsets
/// from the start of the text.
struct UnreadMember: BitwiseCopyable {
    /// That of the member's ``FieldKey``; an element has no name.
    var code: UInt64 = 0
    /// Where the name stands, if it stands there without escapes; otherwise the complement of its
    /// place in ``UnreadMembers/names``.
    var name = 0
    var nameCount = 0
    /// Where the value stands; -1 for one that does not stand in the text.
    var value: Int
    var valueEnd: Int
    /// The place in ``UnreadMembers/values`` of a value that was read or put here; -1 without.
    var slot = -1

    init(value: Int, end: Int) {
        self.value = value
        valueEnd = end
    }
}

/// The members of an object or the elements of an array before they are read.
///
/// A class with buffers of its own: a migration makes members of every object, and arrays of them
/// were checked and counted at every step of the way. Only one ``DocumentNode`` holds them.
final class UnreadMembers {
    @exclusivity(unchecked) private(set) var text: DocumentText
    /// How deep below the text's own object this lies.
    private let level: Int
    let isObject: Bool
    @exclusivity(unchecked) private(set) var members = GrowingBuffer<UnreadMember>(capacity: 16)
    /// The bytes of names that do not stand in the text as they are.
    @exclusivity(unchecked) private(set) var names = GrowingBuffer<UInt8>(capacity: 32)
    @exclusivity(unchecked) private(set) var values: [ModelDocument] = []
    /// What values are read with, once one was.
    @exclusivity(unchecked) private var reader: ModelReader?

    /// Deeper down everything is read at once: going over a container at every level costs as many
    /// passes over what is at the bottom.
    private static let levels = 8

    /// Makes an object or array without members.
    init(of text: DocumentText, level: Int = 0, isObject: Bool = true) {
        self.text = text
        self.level = level
        self.isObject = isObject
    }

    init(copying other: UnreadMembers) {
        text = other.text
        level = other.level
        isObject = other.isObject
        members.append(contentsOf: other.members.elements)
        names.append(contentsOf: other.names.elements)
        values = other.values
    }

    deinit {
        members.deallocate()
        names.deallocate()
    }

    var count: Int { members.count }

    /// Copies the text that the members stand in. One that a step kept stays as it is.
    func putText(_ bytes: UnsafePointer<UInt8>, count: Int, depth: Int) {
        if !isKnownUniquelyReferenced(&text) { text = DocumentText() }
        text.replace(with: bytes, count: count, depth: depth)
    }

    /// Lets go of a text that is larger, so that objects in each other do not hold copies of each
    /// other.
    func dropText(above bytes: Int) {
        if text.capacity > bytes { text = DocumentText() }
    }

    /// Lets go of values that stand where they stood.
    func dropUnchangedValues() {
        if values.isEmpty { return }
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
        if !isChanged { values = [] }
    }

    /// Takes members that were read or made.
    func replaceAll(_ names: [String], _ values: [ModelDocument]) {
        removeAll()
        for (name, value) in zip(names, values) { append(name, value) }
    }

    /// Forgets the members, but keeps their memory.
    func removeAll() {
        members.truncate(to: 0)
        names.truncate(to: 0)
        if !values.isEmpty { values = [] }
    }

    /// Adds a member of the text.
    @inline(__always)
    func append(_ member: UnreadMember) {
        members.append(member)
    }

    // MARK: Names

    /// Keeps the bytes of a name, and gives what ``UnreadMember/name`` says of them.
    func keepName(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let place = names.count
        names.append(contentsOf: bytes)
        return ~place
    }

    /// Where a name stands that does not stand in the text; valid until the members change.
    @inline(__always)
    func nameStart(_ member: UnreadMember) -> UnsafePointer<UInt8> {
        UnsafePointer(names.storage + ~member.name)
    }

    private func start(of member: UnreadMember) -> UnsafePointer<UInt8> {
        member.name < 0 ? nameStart(member) : UnsafePointer(text.start + member.name)
    }

    func name(at place: Int) -> String {
        let member = members[place]
        let bytes = UnsafeBufferPointer(start: start(of: member), count: member.nameCount)
        if member.name < 0 { return String(decoding: bytes, as: UTF8.self) }
        return UTF8Check.string(validated: bytes, isASCII: true)
    }

    /// Whether the member has this name.
    @inline(__always)
    private func isNamed(_ key: FieldKey, _ member: UnreadMember) -> Bool {
        guard member.code == key.code, member.nameCount == key.count else { return false }
        return key.count <= 7 || key.hasBytes(at: start(of: member))
    }

    /// The last place of a name.
    func lastPlace(of name: String) -> Int? {
        FieldKey.with(name) { key in members.elements.lastIndex { isNamed(key, $0) } }
    }

    func places(of name: String) -> [Int] {
        FieldKey.with(name) { key in
            members.elements.indices.filter { isNamed(key, members[$0]) }
        }
    }

    /// Gives members another name; false when there is none of the old one.
    func rename(_ old: String, to name: String) -> Bool {
        FieldKey.with(old) { key in
            var wasThere = false
            for place in members.elements.indices where isNamed(key, members[place]) {
                setName(name, at: place)
                wasThere = true
            }
            return wasThere
        }
    }

    private func setName(_ name: String, at place: Int) {
        FieldKey.with(name) { key in
            members[place].code = key.code
            members[place].nameCount = key.count
            members[place].name = keepName(key.bytes)
        }
    }

    // MARK: Values

    /// The value at a place; a container is kept, so that looking into it again is free.
    func value(at place: Int) -> ModelDocument {
        let member = members[place]
        if member.slot >= 0 { return values[member.slot] }
        let value = read(member)
        if value.node != nil { keep(value, at: place) }
        return value
    }

    /// Notes the value of a member that is not changed.
    func keep(_ value: ModelDocument, at place: Int) {
        members[place].slot = values.count
        values.append(value)
    }

    /// Gives a value that may be changed, and from now on does not stand in the text.
    func modify<Result>(
        at place: Int,
        _ body: (inout ModelDocument) -> Result
    ) -> Result {
        if members[place].slot < 0 { keep(read(members[place]), at: place) }
        members[place].value = -1
        return body(&values[members[place].slot])
    }

    /// Puts a value at a place, whatever stood there.
    func set(_ value: ModelDocument, at place: Int) {
        members[place].value = -1
        if members[place].slot < 0 {
            keep(value, at: place)
        } else {
            values[members[place].slot] = value
        }
    }

    func append(_ name: String?, _ value: ModelDocument) {
        members.append(UnreadMember(value: -1, end: -1))
        if let name { setName(name, at: members.count - 1) }
        keep(value, at: members.count - 1)
    }

    /// Takes a member out and gives its value.
    func remove(at place: Int) -> ModelDocument {
        let value = value(at: place)
        members.remove(at: place)
        return value
    }

    /// Runs `body` with a reader that stands at an offset of the text.
    ///
    /// - Returns: nil when `body` throws, which valid text is no reason for.
    private func read<Value>(
        at offset: Int,
        _ body: (inout ModelReader) throws -> Value
    ) -> Value? {
        let bytes = UnsafeBufferPointer(start: UnsafePointer(text.start), count: text.count)
        // Taken out, so that a value can be read while another one is.
        var reader = self.reader.take() ?? ModelReader(json: bytes)
        reader.restart(json: bytes, at: offset)
        let value = try? body(&reader)
        self.reader = consume reader
        return value
    }

    private func read(_ member: UnreadMember) -> ModelDocument {
        let (text, level) = (text, level + 1)
        let value = read(at: member.value) { reader in
            guard level < Self.levels, reader.byte == 0x7B || reader.byte == 0x5B else {
                return try ModelDocument(modelValue: &reader)
            }
            return ModelDocument(try UnreadMembers(inside: &reader, of: text, level: level))
        }
        return value ?? .null
    }

    /// Goes over the container under the cursor of a reader of `text`.
    private convenience init(
        inside reader: inout ModelReader,
        of text: DocumentText,
        level: Int
    ) throws {
        self.init(of: text, level: level, isObject: reader.byte == 0x7B)
        let start = UnsafePointer(text.start)
        guard isObject else {
            var array = try reader.beginArray()
            while try reader.nextElement(in: &array) {
                let value = reader.cursor - start
                try reader.skipValue()
                members.append(UnreadMember(value: value, end: reader.cursor - start))
            }
            return
        }
        var object = try reader.beginObject()
        while let key = try reader.nextField(in: &object) {
            try reader.note(key, from: start, in: self)
        }
    }

    /// All names and values.
    func all() -> (keys: [String], values: [ModelDocument]) {
        let keys = isObject ? members.elements.indices.map { name(at: $0) } : []
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

extension ModelReader {
    /// Notes the place of a member of JSON at whose value the reader stands, and moves over it.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no value.
    @inline(__always)
    mutating func note(
        _ key: FieldKey,
        from start: UnsafePointer<UInt8>,
        in members: UnreadMembers
    ) throws {
        var member = UnreadMember(value: cursor - start, end: 0)
        member.code = key.code
        member.name = key.start - start
        member.nameCount = key.count
        // A name with escapes was resolved elsewhere, and one that is not ASCII too.
        if key.start < start || key.start >= end {
            member.name = members.keepName(key.bytes)
        }
        try skipShortValue()
        member.valueEnd = cursor - start
        members.append(member)
    }
}

// Writing.

extension UnreadMembers {
    /// Whether no value here is nested deeper than `depth` levels.
    ///
    /// Text that is written no deeper than it stood needs no look. Elsewhere a level takes two
    /// bytes, so what is short is not deep.
    private func fits(_ member: UnreadMember, within depth: Int) -> Bool {
        if depth >= text.depth - level - 1 { return true }
        if depth >= (member.valueEnd - member.value) / 2 { return true }
        let isRead: Void? = read(at: member.value) { reader in
            reader.remainingDepth = depth
            try reader.skipValue()
        }
        return isRead != nil
    }

    /// Writes the container as JSON; what was not changed, as it stands in the text.
    ///
    /// - Throws: ``ModelEncodingError`` for what is nested too deep.
    func writeAsRead(to writer: inout ModelWriter) throws {
        let object = isObject ? try writer.beginObject() : nil
        let array = isObject ? nil : try writer.beginArray()
        for (place, member) in members.elements.enumerated() {
            if isObject {
                var name = name(at: place)
                try name.withUTF8 { try writer.beginField(named: $0) }
            }
            // Members of a property list have all been read.
            if member.value < 0 || text.count == 0 {
                try values[member.slot].writeAsRead(to: &writer)
            } else {
                guard fits(member, within: writer.remainingDepth) else { throw writer.tooDeep() }
                writer.append(
                    UnsafeBufferPointer(
                        start: text.start + member.value,
                        count: member.valueEnd - member.value
                    )
                )
            }
            writer.putComma()
        }
        if let object { try writer.endObject(object) }
        if let array { try writer.endArray(array) }
    }
}

extension ModelDocument {
    init(_ members: UnreadMembers) {
        let node = DocumentNode(members)
        self.init(members.isObject ? .object(node) : .array(node))
    }
}
