public import Dovetail

/// Checks that an entity is found and created by its identifier as it should be, in one place: a
/// `ModelContext`, `EntitiesInMemory`, or an `EntityContext` of your own.
///
/// - There is none before it is created, one after that, and the same one whenever it is asked for.
/// - It has the identifier that it was asked for by, and no other one is changed or lost by that.
/// - It is there after a save, and is not there after it was removed, before the save and after it.
///
/// ```swift
/// @Test func tasks() throws { try checkEntity(TaskItem.self, ids: 1...20, in: EntitiesInMemory()) }
/// ```
///
/// What it has created is removed in the end.
///
/// - Complexity: eight times as many calls of the place as there are identifiers, and three saves.
/// - Parameters:
///   - entity: The entity.
///   - ids: Identifiers of objects that are not there.
///   - context: Where they are kept.
///   - fileID: The place of the check in messages. Leave it out.
///   - line: The same.
/// - Throws: ``LawViolations``.
public func checkEntity<Checked: EntityWithID>(
    _ entity: Checked.Type,
    ids: some Sequence<Checked.ID>,
    in context: some EntityContext,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws {
    var checker = EntityChecker<Checked>(ids)
    checker.trying { try $0.check(in: context) }
    try checker.end(at: "\(fileID):\(line)")
}

/// Checks the same in a container, and what holds of several contexts.
///
/// - Others do not see it before it is saved, and do so after that, each with an object of its own.
/// - A rollback takes back that it was created.
/// - Two contexts that create it have one object after both have saved.
///
/// ```swift
/// @Test func tasks() throws { try checkEntity(TaskItem.self, ids: 1...20, in: container) }
/// ```
///
/// What it has created is removed in the end.
///
/// - Complexity: some thirty times as many fetches as there are identifiers, and ten saves.
/// - Parameters:
///   - entity: The entity.
///   - ids: Identifiers of objects that are not there.
///   - container: Where they are kept.
///   - fileID: The place of the check in messages. Leave it out.
///   - line: The same.
/// - Throws: ``LawViolations``.
public func checkEntity<Checked: EntityWithID>(
    _ entity: Checked.Type,
    ids: some Sequence<Checked.ID>,
    in container: ModelContainer,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws {
    var checker = EntityChecker<Checked>(ids)
    checker.trying { try $0.check(in: ModelContext(container)) }
    checker.trying { try $0.checkContexts(of: container) }
    try checker.end(at: "\(fileID):\(line)")
}

/// Collects what is wrong with an entity.
private struct EntityChecker<Checked: EntityWithID> {
    private let ids: [Checked.ID]
    private var violations: [LawViolation] = []

    init(_ ids: some Sequence<Checked.ID>) {
        self.ids = Array(ids)
    }

    private mutating func expect(_ isRight: Bool, _ explanation: String) {
        guard !isRight, !violations.contains(where: { $0.explanation == explanation }) else {
            return
        }
        violations.append(
            LawViolation(
                law: .entities,
                model: Checked.entityName,
                explanation: explanation,
                document: "",
                seed: 0
            )
        )
    }

    /// Checks something; an error is a violation.
    mutating func trying(_ check: (inout Self) throws -> Void) {
        do {
            try check(&self)
        } catch {
            expect(false, "\(error)")
        }
    }

    func end(at place: String) throws {
        if !violations.isEmpty { throw LawViolations(violations: violations, place: place) }
    }

    mutating func check(in context: some EntityContext) throws {
        expect(Set(ids).count == ids.count, "the check was given an identifier twice")
        var objects: [Checked] = []
        for id in ids {
            expect(
                try Checked.object(id: id, in: context) == nil,
                "it is there before it is created"
            )
            let object = try Checked.findOrCreate(id: id, in: context)
            expect(object.id == id, "it is created with another identifier")
            let isSame = try Checked.findOrCreate(id: id, in: context) === object
            expect(isSame, "it is created again where it is there already")
            objects.append(object)
        }
        expect(Set(objects.map { ObjectIdentifier($0) }).count == ids.count, "two are one object")
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let when = isSaved ? "after a save" : "before a save"
            for (id, object) in zip(ids, objects) {
                let found = try Checked.object(id: id, in: context)
                expect(found === object, "another object is found \(when)")
                expect(object.id == id, "its identifier has changed \(when)")
            }
        }
        for (position, id) in ids.enumerated() {
            try context.remove(objects[position])
            expect(try Checked.object(id: id, in: context) == nil, "it is there when it is removed")
            if let next = ids.dropFirst(position + 1).first {
                let isThere = try Checked.object(id: next, in: context) != nil
                expect(isThere, "removing one has removed another one")
            }
        }
        try context.save()
        for id in ids {
            let found = try Checked.object(id: id, in: context)
            expect(found == nil, "it is there after its removal was saved")
        }
    }

    mutating func checkContexts(of container: ModelContainer) throws {
        let (first, second) = (ModelContext(container), ModelContext(container))
        let others = try first.fetchCount(FetchDescriptor<Checked>())
        for id in ids {
            _ = try Checked.findOrCreate(id: id, in: first)
            let seen = try Checked.object(id: id, in: second)
            expect(seen == nil, "another context sees it before it is saved")
        }
        first.rollback()
        for id in ids {
            let found = try Checked.object(id: id, in: first)
            expect(found == nil, "it is there after a rollback")
        }
        for context in [first, second] {
            for id in ids { _ = try Checked.findOrCreate(id: id, in: context) }
        }
        try first.save()
        try second.save()
        let third = ModelContext(container)
        for id in ids {
            let found = try [first, second, third].map { try Checked.object(id: id, in: $0) }
            expect(
                found.allSatisfy { $0?.id == id },
                "a context does not find what another one saved"
            )
            let isOwn = Set(found.compactMap { $0.map { ObjectIdentifier($0) } }).count == 3
            expect(isOwn, "two contexts have the same object")
        }
        let all = try third.fetchCount(FetchDescriptor<Checked>())
        expect(all == others + ids.count, "two contexts that create it do not store it once")
        for id in ids { try Checked.object(id: id, in: third).map { third.delete($0) } }
        try third.save()
        let fourth = ModelContext(container)
        for id in ids {
            let found = try Checked.object(id: id, in: fourth)
            expect(found == nil, "it is stored again after its removal was saved")
        }
    }
}
