// How a conformer of `any P` gets its object after the type key was found in it.
//
// The reader goes back to the object's start, notes what it knows of the object, and sets its
// source to `.tagged`. If the conformer enters an object, it resumes there
// (``ModelReader/resumeTaggedObject(_:)``), after a type key that came first. If it reads anything
// else, the note is dropped and the object is read as if nobody had looked into it.

/// An object that was entered to find its type key, and was left again.
///
/// The reader's state has at most one: the conformer takes it before it reads any other value.
struct TaggedObject {
    /// The object with its tag.
    let object: ObjectScope
    /// The source of the object, which the reader has again when the object is resumed.
    let source: ModelReader.Source
    /// Where its fields go on: after a type key that came first, else at the first field.
    let resume: UnsafePointer<UInt8>
    /// How many members of a tree or a binary property list were handed out.
    let memberNumber: Int
}

extension ModelReader {
    /// Goes back to the object's start and lets a conformer read it.
    ///
    /// - Parameters:
    ///   - resume: where its fields go on, a position inside the object.
    ///   - memberNumber: how many members come before that, in a tree or a binary property list.
    @inline(__always)
    mutating func expectTaggedObject(
        _ object: ObjectScope,
        resume: UnsafePointer<UInt8>,
        memberNumber: Int
    ) {
        state.tagged = TaggedObject(
            object: object,
            source: source,
            resume: resume,
            memberNumber: memberNumber
        )
        cursor = object.start
        source = .tagged
    }

    /// Enters the object whose type key was looked for, where its fields go on.
    ///
    /// - Throws: ``ModelDecodingError`` when it is nested too deep.
    @inline(__always)
    mutating func resumeTaggedObject(_ object: inout ObjectScope) throws {
        guard let tagged = state.tagged else { throw mismatch("object") }
        source = tagged.source
        try descend()
        cursor = tagged.resume
        object = tagged.object
        if case .json = source { return }
        if source != .xmlPropertyList { memberNumber = tagged.memberNumber }
    }

    /// Forgets that the type key of the object under the cursor was looked for, because something
    /// else than its fields is read.
    mutating func forgetTaggedObject() {
        guard source == .tagged, let tagged = state.tagged else { return }
        source = tagged.source
    }

    /// How many members were handed out of the container of a tree or a binary property list.
    var memberNumber: Int {
        get {
            switch source {
            case .tree: treeMemberNumber
            case .binaryPropertyList: binaryMemberNumber
            case .json, .row, .xmlPropertyList, .tagged: 0
            }
        }
        set {
            if source == .tree {
                treeMemberNumber = newValue
            } else {
                binaryMemberNumber = newValue
            }
        }
    }
}
