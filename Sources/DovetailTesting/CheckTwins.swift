public import DovetailModel
import Foundation

/// Checks that two models are twins: they read and write the same documents, such as a class whose
/// objects a context holds and the struct that goes to other tasks.
///
/// - What a value writes, its twin reads and writes as the same document, and so on back.
/// - What one of them refuses, the other one refuses: each document without one of its members, and
///   each with a null or a text in the place of one.
///
/// ```swift
/// @Test func twins() throws { try checkTwins(TaskItem.self, [TaskValue.sample]) }
/// ```
///
/// Documents are compared as ``/DovetailModel/ModelDocument``.
///
/// - Complexity: reads some 6 documents for each member of each value.
/// - Parameters:
///   - twin: The other model.
///   - values: Values of the one. Those with all of their fields filled find the most.
///   - fileID: The place of the check in messages. Leave it out.
///   - line: The same.
/// - Throws: ``LawViolations`` with all violations that were found.
public func checkTwins<Twin: Model, Value: Model>(
    _ twin: Twin.Type,
    _ values: [Value],
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws {
    var violations: [LawViolation] = []
    func report(_ explanation: String, _ document: ModelDocument?) {
        violations.append(
            LawViolation(
                law: .twins,
                model: "\(Twin.typeName), the twin of \(Value.typeName),",
                explanation: explanation,
                document: document.map { "\($0)" } ?? "",
                seed: 0
            )
        )
    }
    for value in values {
        do {
            let document = try ModelDocument(decoding: value.encoded(as: .json), as: .json)
            for changed in [document] + document.withOneMemberChanged {
                let outcomes = [outcome(of: changed, Value.self), outcome(of: changed, Twin.self)]
                switch (outcomes[0], outcomes[1]) {
                case (nil, nil): break
                case (let own?, nil):
                    report("\(Twin.typeName) cannot read what \(Value.typeName) can", own)
                case (nil, let other?):
                    report("\(Value.typeName) cannot read what \(Twin.typeName) can", other)
                case (let own?, let other?):
                    if own != other { report("it writes \(other) for the same", own) }
                }
            }
        } catch {
            report("a value cannot be written: \(error)", nil)
        }
    }
    guard violations.isEmpty else {
        throw LawViolations(violations: violations, place: "\(fileID):\(line)")
    }
}

/// What a model writes after it has read a document; nil where it refuses the document.
private func outcome<Checked: Model>(
    of document: ModelDocument,
    _ type: Checked.Type
) -> ModelDocument? {
    guard let data = try? document.encoded(as: .json),
        let value = try? Checked(decoding: data, as: .json)
    else { return nil }
    return try? ModelDocument(decoding: value.encoded(as: .json), as: .json)
}

extension ModelDocument {
    /// The object without one of its members, and with a null and a text in the place of it, for each
    /// member; nothing for what is no object.
    fileprivate var withOneMemberChanged: [ModelDocument] {
        guard let members else { return [] }
        return members.indices.flatMap { index in
            var without = members
            without.remove(at: index)
            let others = [ModelDocument.null, .string("?")].map { other in
                var changed = members
                changed[index] = Member(key: members[index].key, value: other)
                return ModelDocument.object(changed)
            }
            return [ModelDocument.object(without)] + others
        }
    }
}
