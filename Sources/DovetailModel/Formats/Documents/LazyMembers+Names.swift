// Names of members: each is found by its code first, and by its bytes where the code does not tell.

extension LazyMembers {
    /// Where a name is that is not in the text; valid until the members change.
    ///
    /// Invariant: `member.name` is negative, the complement that ``keepName(_:)`` gave.
    @inline(__always)
    func nameStart(_ member: LazyMember) -> UnsafePointer<UInt8> {
        UnsafePointer(names.storage + ~member.name)
    }

    /// Where a name is, in the text or among ``names``.
    private func start(of member: LazyMember) -> UnsafePointer<UInt8> {
        member.name < 0 ? nameStart(member) : UnsafePointer(text.start + member.name)
    }

    /// The name of a member. Complexity: linear in the name.
    func name(at place: Int) -> String { name(of: members[place]) }

    /// A name in the text is ASCII (`ModelReader.note`); one among ``names`` may be anything.
    func name(of member: LazyMember) -> String {
        let bytes = UnsafeBufferPointer(start: start(of: member), count: member.nameCount)
        if member.name < 0 { return String(decoding: bytes, as: UTF8.self) }
        return UTF8Check.string(validated: bytes, isASCII: true)
    }

    /// Whether the member at a place has this name. Up to seven bytes the code says all
    /// (``FieldKey``).
    private func isNamed(_ key: FieldKey, at place: Int) -> Bool {
        let member = members.storage + place
        guard member.pointee.code == key.code, member.pointee.nameCount == key.count else {
            return false
        }
        return key.count <= 7 || key.hasBytes(at: start(of: member.pointee))
    }

    /// The last place of a name, -1 without one, and whether no other member has it.
    ///
    /// - Complexity: O(1) in few members; linear in more, and where names look alike.
    @inline(__always)
    func find(_ name: String) -> (last: Int, isOnly: Bool) {
        let (code, length) = FieldKey.with(name) { ($0.code, $0.count) }
        if length <= 7, members.count <= NameTags.limit {
            guard let found = tags.places(of: code) else { return (-1, true) }
            if found.isOnly, members[found.last].code == code { return found }
        }
        return findOnSlowPath(name, code, length)
    }

    /// The same for any name, given its code and its length.
    ///
    /// - Complexity: linear in the members. Their codes are compared without a branch: where a name
    ///   is differs from call to call, so the processor would guess wrong.
    @inline(never)
    private func findOnSlowPath(
        _ name: String,
        _ code: UInt64,
        _ length: Int
    ) -> (last: Int, isOnly: Bool) {
        let (storage, end) = (members.storage, members.count)
        var (last, count, place) = (-1, 0, 0)
        while place < end {
            let isSame = (storage + place).pointee.code == code
            last = isSame ? place : last
            count &+= isSame ? 1 : 0
            place &+= 1
        }
        return length <= 7 || count == 0
            ? (last, count <= 1) : findLong(name, last: last, isOnly: count == 1)
    }

    /// The same for a name that its code does not tell, given the last place of the code.
    private func findLong(
        _ name: String,
        last: Int,
        isOnly: Bool
    ) -> (last: Int, isOnly: Bool) {
        FieldKey.with(name) { key in
            if isOnly { return (isNamed(key, at: last) ? last : -1, true) }
            var (found, count) = (-1, 0)
            for place in 0...last where isNamed(key, at: place) {
                found = place
                count += 1
            }
            return (found, count <= 1)
        }
    }

    /// The last place of a name. Complexity: linear in the members.
    func lastPlace(of name: String) -> Int? {
        let place = find(name).last
        return place < 0 ? nil : place
    }

    /// All places of a name, ascending. Complexity: linear in the members.
    func places(of name: String) -> [Int] {
        FieldKey.with(name) { key in
            members.elements.indices.filter { isNamed(key, at: $0) }
        }
    }

    /// Gives members another name; false when there is none of the old one.
    func rename(_ old: String, to name: String) -> Bool {
        FieldKey.with(old) { key in
            var wasThere = false
            for place in members.elements.indices where isNamed(key, at: place) {
                setName(name, at: place)
                wasThere = true
            }
            return wasThere
        }
    }

    /// Gives one member a name of the program. The bytes of an old name among ``names`` stay.
    func setName(_ name: String, at place: Int) {
        FieldKey.with(name) { key in
            setCode(key.code, at: place)
            members[place].nameCount = key.count
            members[place].name = keepName(key.bytes)
        }
    }
}
