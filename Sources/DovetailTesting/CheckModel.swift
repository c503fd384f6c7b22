public import DovetailModel

/// Checks every law of models with one value.
///
/// - What is written, as JSON and as both forms of property lists, is read as the same value.
///   Values are compared by `==` where the type is `Equatable`, otherwise by the JSON that they
///   write, as a ``/DovetailModel/ModelDocument``.
/// - The order of fields does not matter: the members of all objects are shuffled.
/// - Fields that are not declared are ignored, refused or written back equal, as
///   `@Model(unknownFields:)` says, before the declared fields and after them. They are added at
///   the root only, because an object further inside may be a dictionary, which takes any field.
/// - Pretty-printed documents and those with sorted keys are read as the same value.
/// - Every prefix of the document, and the document with any one byte changed, give a value or a
///   `ModelDecodingError`, in JSON and as a binary property list.
///
/// ```swift
/// @Test func laws() throws { try checkModel(Invoice.sample) }
/// ```
///
/// A kind of value that property lists cannot hold is no violation. A run that fails prints its
/// seed; `DOVETAIL_SEED=…` repeats it.
///
/// - Complexity: reads some 20 documents, and then at most four times `changes`. A document of *n*
///   bytes is read completely, with its *n* prefixes and 256 *n* changes, when `changes` is not
///   less than 256 *n*.
/// - Parameters:
///   - value: The value to check. One with all of its fields filled finds the most.
///   - changes: The most documents to read for each of the last two laws, in each of the two
///     formats. When there are more, this many are chosen at random.
///   - seed: The seed of the random choices; by default `DOVETAIL_SEED` of the environment, or a
///     new one.
///   - fileID: The place of the check in messages. Leave it out.
///   - line: The same.
/// - Throws: ``LawViolations`` with all violations that were found, at most five of each law.
public func checkModel<Value: Model>(
    _ value: Value,
    changes: Int = defaultLawChanges,
    seed: UInt64? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws {
    let violations = lawViolations(of: value, changes: changes, seed: seed)
    guard violations.isEmpty else {
        throw LawViolations(violations: violations, place: "\(fileID):\(line)")
    }
}

/// Checks every law and returns what ``checkModel(_:changes:seed:fileID:line:)`` would throw, for a
/// test that judges the violations itself.
///
/// ```swift
/// let broken = lawViolations(of: Invoice.sample).filter { $0.law != .orderOfFields }
/// #expect(broken.isEmpty)
/// ```
///
/// - Complexity: as ``checkModel(_:changes:seed:fileID:line:)``.
/// - Returns: The violations, at most five of each law; none when the model keeps them all.
public func lawViolations<Value: Model>(
    of value: Value,
    changes: Int = defaultLawChanges,
    seed: UInt64? = nil
) -> [LawViolation] {
    var checker = LawChecker(
        subject: Value.typeName,
        changes: changes,
        seed: seed,
        read: { try Value(decoding: $0, as: $1) },
        write: { try $0.encoded(as: $1) },
        // Only structs have attributes; any other model may be closed to further fields.
        unknownFields: Value.modelAttributes.isEmpty ? nil : Value.unknownFieldsPolicy
    )
    checker.check(value)
    return checker.violations
}

/// Checks every law with every value of a list of `any P`, and with the list as one document.
///
/// ```swift
/// @Test func laws() throws {
///     try checkModels([Dog(name: "Rex"), Parrot(name: "Polly", words: 12)] as [any Pet])
/// }
/// ```
///
/// Values that only their protocol can write are checked as a part of the list only: elements that
/// were kept, and those with members beside a tag (``/DovetailModel/UnknownFields/besideTag``).
///
/// - Complexity: that of ``checkModel(_:changes:seed:fileID:line:)`` for each value and for the
///   list.
/// - Parameters:
///   - values: Conformers of a protocol with `@ModelProtocol`.
///   - changes: See ``checkModel(_:changes:seed:fileID:line:)``; for each value and for the list.
///   - seed: See there.
///   - table: How elements are read and written. The compiler finds it; leave it out.
///   - fileID: The place of the check in messages. Leave it out.
///   - line: The same.
/// - Throws: ``LawViolations`` with all violations that were found. The name of an element's model
///   is followed by its place, as in `Dog at [0]`.
public func checkModels<Element>(
    _ values: [Element],
    changes: Int = defaultLawChanges,
    seed: UInt64? = nil,
    by table: RootCoding<Element> = #_rootCoding,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws {
    try checkList(
        values,
        LawChecker(
            subject: "[\(Element.self)]",
            changes: changes,
            seed: seed,
            read: { try [Element](decoding: $0, as: $1, by: table) },
            write: { try $0.encoded(as: $1, by: table) },
            areEqual: areEqualElements,
            unknownFields: nil
        ),
        place: "\(fileID):\(line)"
    )
}

/// Checks every law with every model of a list, and with the list as one document.
///
/// ```swift
/// @Test func laws() throws { try checkModels([Invoice.sample, Invoice.empty]) }
/// ```
///
/// - Complexity: that of ``checkModel(_:changes:seed:fileID:line:)`` for each value and for the
///   list.
/// - Throws: ``LawViolations`` with all violations that were found.
public func checkModels<Element: Model>(
    _ values: [Element],
    changes: Int = defaultLawChanges,
    seed: UInt64? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws {
    try checkList(
        values,
        LawChecker(
            subject: "[\(Element.typeName)]",
            changes: changes,
            seed: seed,
            read: { try [Element](decoding: $0, as: $1) },
            write: { try $0.encoded(as: $1) },
            areEqual: areEqualElements,
            unknownFields: nil
        ),
        place: "\(fileID):\(line)"
    )
}

/// Checks the list as one document, and then each element with the seed of the list, so that one
/// seed repeats the whole run.
private func checkList<Element>(
    _ values: [Element],
    _ list: LawChecker<[Element]>,
    place: String
) throws {
    var list = list
    list.check(values)
    var violations = list.violations
    for (index, value) in values.enumerated() {
        // An element that was kept is no type of its own: only its protocol knows how its name is
        // told, so the check of the list is the one for it. So it is with members beside a tag.
        guard let model = value as? any Model, !(value is any UnknownModel),
            !model.hasMembersBesideTag
        else { continue }
        violations += lawViolations(of: model, changes: list.changes, seed: list.seed).map {
            LawViolation(
                law: $0.law,
                model: "\($0.model) at [\(index)]",
                explanation: $0.explanation,
                document: $0.document,
                seed: $0.seed
            )
        }
    }
    guard violations.isEmpty else { throw LawViolations(violations: violations, place: place) }
}

extension Model {
    /// Whether it keeps members beside its tag, which only its protocol writes.
    fileprivate var hasMembersBesideTag: Bool {
        Self.modelAttributes.contains { attribute in
            guard let path = attribute.keyPath as? KeyPath<Self, UnknownFields> else {
                return false
            }
            return !self[keyPath: path].besideTag.isEmpty
        }
    }
}

/// Whether two lists hold equal elements; nil when an element has no `==`, so that the lists are
/// compared by what they write. `[any P]` has no `==` of its own.
private func areEqualElements<Element>(_ left: [Element], _ right: [Element]) -> Bool? {
    guard left.count == right.count else { return false }
    for (left, right) in zip(left, right) {
        guard let isEqual = LawChecker<Element>.areEqual(left, right) else { return nil }
        if !isEqual { return false }
    }
    return true
}
