public import DovetailModel

/// Checks every law of models with one value.
///
/// - What was written, as JSON and as property lists, is read as the same value: by `==` where the type is `Equatable`, otherwise by
///   what is written again, as a ``/DovetailModel/ModelDocument``.
/// - The order of fields does not matter: members are shuffled on every level.
/// - Fields that are not declared are ignored, refused or written back equal, as
///   `@Model(unknownFields:)` says, wherever they stand. Fields are added at the root, the one place
///   where an object cannot be a dictionary.
/// - Pretty-printed and sorted documents are read as the same value.
/// - Every prefix of the document, in JSON and as a binary property list, and the document with any
///   one byte changed, give a value or a `ModelDecodingError`.
///
/// ```swift
/// @Test func laws() throws { try checkModel(Invoice.sample) }
/// ```
///
/// - Complexity: reads the document about as many times as `changes` says, and up to 256 times as
///   many as it has bytes.
/// - Parameters:
///   - value: What is checked. A value with all of its fields filled finds most.
///   - changes: How many changed documents are read at most, of each of the last two laws and formats. When all
///     are more, as many are chosen by chance.
///   - seed: The seed of that chance; by default `DOVETAIL_SEED` of the environment, or a new one.
/// - Throws: ``LawViolations`` with everything that was found.
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

/// What ``checkModel(_:changes:seed:fileID:line:)`` would throw, as values.
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

/// Checks every law with every value of a list, and the list as a whole document.
///
/// Values that only their protocol can write are checked in the list alone: elements that were kept,
/// and those with members beside a tag (``/DovetailModel/UnknownFields/besideTag``).
///
/// - Parameters:
///   - values: Conformers of a protocol with `@ModelProtocol`.
///   - changes: See ``checkModel(_:changes:seed:fileID:line:)``; for each value and for the list.
///   - seed: See there.
///   - table: Found where the call stands.
/// - Throws: ``LawViolations`` with everything that was found.
public func checkModels<Element>(
    _ values: [Element],
    changes: Int = defaultLawChanges,
    seed: UInt64? = nil,
    by table: ModelTable<Element> = #_modelTable,
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

/// Checks every law with every model of a list, and the list as a whole document.
///
/// - Throws: ``LawViolations`` with everything that was found.
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
    /// Whether it keeps members that stood beside its tag, which only its protocol writes.
    fileprivate var hasMembersBesideTag: Bool {
        Self.modelAttributes.contains { attribute in
            guard let path = attribute.keyPath as? KeyPath<Self, UnknownFields> else {
                return false
            }
            return !self[keyPath: path].besideTag.isEmpty
        }
    }
}

/// Whether two lists hold equal elements; nil when one of them has no `==`.
private func areEqualElements<Element>(_ left: [Element], _ right: [Element]) -> Bool? {
    guard left.count == right.count else { return false }
    for (left, right) in zip(left, right) {
        guard let isEqual = LawChecker<Element>.areEqual(left, right) else { return nil }
        if !isEqual { return false }
    }
    return true
}
