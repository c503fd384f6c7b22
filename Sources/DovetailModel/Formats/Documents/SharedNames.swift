/// The lists of member names of the objects that are read or written, each made once and shared by
/// all objects that have it.
///
/// Most objects of a document have the names of others in the same order. Without this each of them
/// would pay for an array of strings, and reading models from the tree for comparing them
/// (``TreeInput`` knows a list by its address).
///
/// The lists are paths in a tree: a place in it stands for the names from the root to it, and a
/// further name leads to a place below. Objects used as dictionaries have names of their own, so
/// the tree is bounded; what does not find room in it has a list for itself.
///
/// Owned by one ``ReaderState`` or ``TreeOutput``, which calls ``deallocate()`` once.
struct SharedNames {
    /// The names from the root to here.
    private struct Place: BitwiseCopyable {
        /// The last name: that of its ``FieldKey``, and where the bytes are in `bytes`.
        var code: UInt64 = 0
        var start = 0
        var count = 0
        /// The place before the last name; how many names there are.
        var parent = 0
        var depth = 0
        /// The places with one more name form a list; -1 ends it.
        var firstChild = -1
        var nextSibling = -1
        /// The list in `lists`; -1 before it is asked for.
        var list = -1
    }

    private var places = GrowingBuffer<Place>(capacity: 32)
    private var bytes = GrowingBuffer<UInt8>(capacity: 256)
    private var lists: [[String]] = []

    /// The place without names.
    fileprivate static let root = 0
    /// What stands for a list outside of the tree.
    private static let none = -1
    private static let maximumPlaces = 1024
    /// Longer lists and more names after the same ones are those of dictionaries.
    private static let maximumDepth = 64
    private static let maximumSiblings = 16

    init() {
        places.append(Place())
    }

    /// Frees the places. No function may be called afterwards.
    func deallocate() {
        places.deallocate()
        bytes.deallocate()
    }

    /// The place with one more name; ``none`` when there is no room for it.
    ///
    /// - Complexity: linear in the name, and in up to 16 others.
    private mutating func place(after place: Int, _ key: FieldKey) -> Int {
        var child = places[place].firstChild
        var last = Self.none
        var siblings = 0
        while child >= 0 {
            if places[child].code == key.code, isNamed(key, child) { return child }
            last = child
            siblings += 1
            child = places[child].nextSibling
        }
        return siblings < Self.maximumSiblings ? add(key, after: place, last: last) : Self.none
    }

    /// Up to seven bytes the code says all (``FieldKey``).
    @inline(__always)
    private func isNamed(_ key: FieldKey, _ place: Int) -> Bool {
        guard places[place].count == key.count else { return false }
        return key.count <= 7 || key.hasBytes(at: bytes.storage + places[place].start)
    }

    /// Adds a place below another one, at the end of its list.
    @inline(never)
    private mutating func add(_ key: FieldKey, after parent: Int, last: Int) -> Int {
        guard places.count < Self.maximumPlaces, places[parent].depth < Self.maximumDepth else {
            return Self.none
        }
        var place = Place()
        place.code = key.code
        place.start = bytes.count
        place.count = key.count
        place.parent = parent
        place.depth = places[parent].depth + 1
        bytes.append(contentsOf: key.bytes)
        places.append(place)
        let index = places.count - 1
        if last < 0 { places[parent].firstChild = index } else { places[last].nextSibling = index }
        return index
    }

    /// The names of a place. Complexity: O(1); linear the first time.
    private mutating func list(of place: Int) -> [String] {
        if place == Self.root { return [] }
        if places[place].list >= 0 { return lists[places[place].list] }
        var names = Array(repeating: "", count: places[place].depth)
        var current = place
        for index in names.indices.reversed() {
            names[index] = lastName(of: current)
            current = places[current].parent
        }
        places[place].list = lists.count
        lists.append(names)
        return names
    }

    /// The last name of a place; the empty string for the root.
    private func lastName(of place: Int) -> String {
        String(
            decoding: UnsafeBufferPointer(
                start: bytes.storage + places[place].start,
                count: places[place].count
            ),
            as: UTF8.self
        )
    }
}

/// The names of one object so far: a place among ``SharedNames``, or a list of its own.
struct MemberNames {
    fileprivate var place = SharedNames.root
    fileprivate var own: [String] = []
}

extension SharedNames {
    /// Adds a name to those of an object. Complexity: linear in the name.
    @inline(__always)
    mutating func append(_ key: FieldKey, to names: inout MemberNames) {
        if names.place >= 0 {
            let next = place(after: names.place, key)
            if next >= 0 {
                names.place = next
                return
            }
            leave(&names)
        }
        names.own.append(key.text)
    }

    /// Gives an object a list of its own.
    @inline(never)
    private mutating func leave(_ names: inout MemberNames) {
        names.own = list(of: names.place)
        names.place = Self.none
    }

    /// Takes the last name away; there has to be one.
    func removeLast(of names: inout MemberNames) {
        if names.place >= 0 {
            names.place = places[names.place].parent
        } else {
            names.own.removeLast()
        }
    }

    /// The name that was added last. Complexity: linear in the name.
    func last(of names: MemberNames) -> String? {
        guard names.place >= 0 else { return names.own.last }
        return names.place == Self.root ? nil : lastName(of: names.place)
    }

    /// How many names there are. Complexity: O(1).
    func count(of names: MemberNames) -> Int {
        names.place >= 0 ? places[names.place].depth : names.own.count
    }

    /// All names. Complexity: O(1); linear for a list that no object had before.
    mutating func all(of names: MemberNames) -> [String] {
        names.place >= 0 ? list(of: names.place) : names.own
    }
}
