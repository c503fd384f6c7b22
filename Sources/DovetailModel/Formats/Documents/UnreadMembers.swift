import Foundation

/// The members of an object or the elements of an array before they are read.
///
/// A class with buffers of its own: a migration makes members of every object, and arrays of them
/// were checked and counted at every step of the way. One ``DocumentNode`` holds them, and the
/// ``MigratedObject`` that lent it.
final class UnreadMembers {
    @exclusivity(unchecked) private(set) var text: UnreadText
    /// Where the members are instead, and how many levels may be below them.
    @exclusivity(unchecked) private var propertyList: UnreadPropertyList?
    @exclusivity(unchecked) private var depth = 0
    /// How deep below the text's own object this lies.
    let level: Int
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
    private static let spareValues = 1 << 10

    /// Makes an object or array without members.
    init(of text: UnreadText, level: Int = 0, isObject: Bool = true) {
        self.text = text
        self.level = level
        self.isObject = isObject
    }

    init(copying other: UnreadMembers) {
        text = other.text
        propertyList = other.propertyList
        depth = other.depth
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
    func putText(_ bytes: UnsafePointer<UInt8>, count: Int, isXML: Bool) {
        if !isKnownUniquelyReferenced(&text) { text = UnreadText() }
        Unmanaged.passUnretained(text)._withUnsafeGuaranteedRef { text in
            if isXML != text.isXML { reader = nil }
            text.replace(with: bytes, count: count, isXML: isXML)
        }
    }

    /// Notes where the members are, in an object with so many levels below it.
    func putPropertyList(_ list: UnreadPropertyList, within depth: Int) {
        if propertyList !== list { propertyList = list }
        self.depth = depth
    }

    /// Lets go of a text that is larger, so that objects in each other do not hold copies of each
    /// other.
    func dropText(above bytes: Int) {
        if text.capacity > bytes { text = UnreadText() }
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
        if !isChanged { dropValues() }
    }

    /// Keeps the memory of few. One by one: `removeAll` costs more than the few that there are.
    private func dropValues() {
        if values.capacity > Self.spareValues { values = [] }
        while values.popLast() != nil {}
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
        dropValues()
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

    func name(at place: Int) -> String { name(of: members[place]) }

    private func name(of member: UnreadMember) -> String {
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
        FieldKey.with(name) { lastPlace(of: $0) }
    }

    private func lastPlace(of key: FieldKey) -> Int? {
        var place = members.count
        while place > 0 {
            place &-= 1
            if isNamed(key, members[place]) { return place }
        }
        return nil
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
    func keep(_ value: consuming ModelDocument, at place: Int) {
        members[place].slot = values.count
        values.append(value)
    }

    /// Takes out a value that was put here, for a reader that asks for it once.
    @inline(__always)
    func takeValue(_ slot: Int) -> ModelDocument {
        exchange(&values[slot], with: .null)
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
    func set(_ value: consuming ModelDocument, at place: Int) {
        members[place].value = -1
        if members[place].slot < 0 {
            keep(value, at: place)
        } else {
            values[members[place].slot] = value
        }
    }

    /// Puts a value in the place of the last member of a name, or at the end.
    func set(_ value: consuming ModelDocument, of name: String) {
        if let place = lastPlace(of: name) { set(value, at: place) } else { append(name, value) }
    }

    func append(_ name: String?, _ value: consuming ModelDocument) {
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

    /// Takes the members of a name out and gives the value of the last one.
    func remove(_ name: String) -> ModelDocument? {
        FieldKey.with(name) { key in
            guard let last = lastPlace(of: key) else { return nil }
            let value = remove(at: last)
            while let place = lastPlace(of: key) { members.remove(at: place) }
            return value
        }
    }

    /// Runs `body` with a reader that stands at an offset of the text.
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

    private func read(_ member: UnreadMember) -> ModelDocument {
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
    private func plainString(_ member: UnreadMember) -> String? {
        let start = text.start + member.value + 1
        let count = member.valueEnd - member.value - 2
        guard count >= 0, memchr(start, 0x5C, count) == nil else { return nil }
        return UTF8Check.string(validated: UnsafeBufferPointer(start: start, count: count))
    }

    /// Goes over the container under the cursor of a reader of the text.
    private func inside(_ reader: inout ModelReader) throws -> UnreadMembers {
        let isObject = reader.byte == 0x7B
        let inner = UnreadMembers(of: text, level: level + 1, isObject: isObject)
        let start = UnsafePointer(text.start)
        guard isObject else {
            var array = try reader.beginArray()
            while try reader.nextElement(in: &array) {
                let value = reader.cursor - start
                try reader.skipValue()
                inner.append(UnreadMember(value: value, end: reader.cursor - start))
            }
            return inner
        }
        var object = try reader.beginObject()
        while let key = try reader.nextField(in: &object) {
            try reader.note(key, from: start, in: inner)
        }
        return inner
    }

    /// All names and values.
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
    init(_ members: UnreadMembers) {
        let node = DocumentNode(members)
        self.init(members.isObject ? .object(node) : .array(node))
    }
}
