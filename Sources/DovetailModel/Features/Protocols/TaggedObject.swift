// How a conformer of `any P` gets its object after the type key was found in it.
//
// The reader goes back to the object's start and notes what it knows of the object. Whoever enters
// an object next takes that (``ModelReader/resumeTaggedObject()``) and goes on after a type key
// that came first; whoever reads anything else finds the object as if nobody had looked into it.

/// An object that was entered to find its type key.
struct TaggedObject {
    /// The object with its tag.
    let object: ObjectScope
    /// The source that it is in.
    let source: ModelReader.Source
    /// Where its fields go on.
    let resume: UnsafePointer<UInt8>
    /// How many members of a tree or a binary property list were handed out.
    let memberNumber: Int
}

extension ModelReader {
    /// Lets a conformer read the object at its scope's start.
    ///
    /// - Parameter resume: where its fields go on; inside of the object, which was left.
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

    /// Enters the object whose type key was looked for.
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

    /// Forgets that the type key of the object under the cursor was looked for.
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
            if source == .tree { treeMemberNumber = newValue } else { binaryMemberNumber = newValue }
        }
    }
}
