import DovetailModel
import Foundation

/// Checks the laws of values that are read and written by two closures.
///
/// The closures let one checker serve models, lists of models and lists of `any P`, which have no
/// protocol in common. A checker is made for one value, collects its violations and never throws:
/// an error of a closure is a violation or, for a broken document, what the law asks for.
struct LawChecker<Value> {
    /// What was found so far, at most five of each law.
    private(set) var violations: [LawViolation] = []
    /// The seed of `random`, which repeats the run.
    let seed: UInt64

    /// The name of the model in messages.
    private let subject: String
    /// The most changed documents that one law reads in one format.
    let changes: Int
    private let read: (Data, ModelFormat) throws -> Value
    private let write: (Value, ModelFormat) throws -> Data
    /// Compares two values; nil when the type has no `==`.
    private let areEqual: (Value, Value) -> Bool?
    /// What the model says becomes of undeclared fields; nil when they are not checked.
    private let unknownFields: UnknownPolicy?
    private var random: SeededRandom

    /// How many violations of one law are kept: one fault shows in many of the changed documents.
    private static var mostOfALaw: Int { 5 }

    init(
        subject: String,
        changes: Int,
        seed: UInt64?,
        read: @escaping (Data, ModelFormat) throws -> Value,
        write: @escaping (Value, ModelFormat) throws -> Data,
        areEqual: @escaping (Value, Value) -> Bool? = Self.areEqual,
        unknownFields: UnknownPolicy?
    ) {
        let random = SeededRandom(seed: seed)
        self.subject = subject
        self.changes = changes
        self.seed = random.seed
        self.read = read
        self.write = write
        self.areEqual = areEqual
        self.unknownFields = unknownFields
        self.random = random
    }

    /// The answer of `==`; nil when the type has none.
    static func areEqual(_ left: Value, _ right: Value) -> Bool? {
        func compare<Known: Equatable>(_ left: Known) -> Bool {
            (right as? Known).map { left == $0 } ?? false
        }
        guard let left = left as? any Equatable else { return nil }
        return compare(left)
    }

    /// Checks all laws with one value. A value that cannot be written as JSON, or is written as
    /// something else, breaks the first law, and the others are not checked.
    mutating func check(_ value: Value) {
        let data: Data
        let document: ModelDocument
        do {
            data = try write(value, .json)
        } catch {
            return report(.roundTrip, "it cannot be written: \(error)", Data())
        }
        do {
            document = try ModelDocument(decoding: data, as: .json)
        } catch {
            return report(.roundTrip, "what it writes is no JSON: \(error)", data)
        }
        expect(value, document, from: data, .roundTrip)
        checkOrder(value, document)
        if let unknownFields { checkUnknownFields(value, document, unknownFields) }
        checkLayout(value, document)
        checkPrefixes(data, .json)
        checkBytes(data, .json)
        checkPropertyLists(value, document)
    }

    /// Round trips in both forms, and changed documents in the binary one, whose reader follows
    /// offsets. A value that property lists cannot hold is no fault of the model.
    private mutating func checkPropertyLists(_ value: Value, _ document: ModelDocument) {
        for format in [ModelFormat.plist, .binaryPlist] {
            do {
                let data = try write(value, format)
                expect(value, document, from: data, .roundTrip, format)
                guard format == .binaryPlist else { continue }
                checkPrefixes(data, format)
                checkBytes(data, format)
            } catch let error as ModelEncodingError where error.kind == .notRepresentable {
            } catch {
                report(.roundTrip, "it cannot be written as \(format.name): \(error)", Data())
            }
        }
    }

    /// Four shuffled documents: one alone may by chance keep the order that matters.
    private mutating func checkOrder(_ value: Value, _ document: ModelDocument) {
        for _ in 0..<4 {
            expect(value, document, fromDocument: random.shuffled(document), .orderOfFields)
        }
    }

    /// Adds a field of every kind of value before the declared ones, and twice after them: a
    /// repeated field is an error only where it is declared.
    private mutating func checkUnknownFields(
        _ value: Value,
        _ document: ModelDocument,
        _ policy: UnknownPolicy
    ) {
        guard let members = document.members else { return }
        var name = "unknown to Dovetail"
        while document[key: name] != nil { name += "!" }
        let values: [ModelDocument] = [
            nil, true, -1.5e300, "", [[], [:], nil], ["a": ["b": [1, 2]], "a": 0],
        ]
        for unknown in values {
            let member = ModelDocument.Member(key: name, value: unknown)
            for changed in [[member] + members, members + [member, member]] {
                switch policy {
                case .skip:
                    expect(value, document, fromDocument: .object(changed), .unknownFields)
                case .preserve: expectKept(.object(changed))
                case .throw: expectRefused(.object(changed))
                }
            }
        }
    }

    /// Reads a document and expects an equal one to be written.
    private mutating func expectKept(_ document: ModelDocument) {
        var data = Data()
        do {
            data = try document.encoded(as: .json)
            let written = try ModelDocument(decoding: write(read(data, .json), .json), as: .json)
            guard written != document else { return }
            report(.unknownFields, "it is written as \(written)", data)
        } catch {
            report(.unknownFields, "\(error)", data)
        }
    }

    /// Reads a document and expects an error about a field.
    private mutating func expectRefused(_ document: ModelDocument) {
        var data = Data()
        do {
            data = try document.encoded(as: .json)
            _ = try read(data, .json)
            report(.unknownFields, "a field that is not declared is no error", data)
        } catch let error as ModelDecodingError where error.kind == .unknownField {
        } catch {
            report(.unknownFields, "\(error)", data)
        }
    }

    /// The three layouts of JSON besides the compact one, which the round trip checks.
    private mutating func checkLayout(_ value: Value, _ document: ModelDocument) {
        for (isPretty, isSorted) in [(true, false), (false, true), (true, true)] {
            let format = ModelFormat.json(pretty: isPretty, sortedKeys: isSorted)
            do {
                expect(value, document, from: try write(value, format), .layout)
            } catch {
                report(.layout, "it cannot be written: \(error)", Data())
            }
        }
    }

    /// All prefixes, or `changes` of them chosen at random.
    private mutating func checkPrefixes(_ data: Data, _ format: ModelFormat) {
        var lengths = Array(0..<data.count)
        if lengths.count > changes { lengths = (0..<changes).map { _ in random.below(data.count) } }
        for length in lengths {
            expectValueOrError(data.prefix(length), .everyPrefix, format) {
                "cut off at byte \(length)"
            }
        }
    }

    /// All documents that differ in one byte, or `changes` of them chosen at random. One buffer is
    /// changed and restored, so a long document is not copied for each.
    private mutating func checkBytes(_ data: Data, _ format: ModelFormat) {
        guard !data.isEmpty else { return }
        let all = data.count * 256
        var changed = data
        for step in 0..<min(all, changes) {
            let change = all <= changes ? step : random.below(all)
            let (place, byte) = (changed.startIndex + change / 256, UInt8(change % 256))
            let original = changed[place]
            changed[place] = byte
            expectValueOrError(changed, .everyByte, format) {
                "byte \(change / 256) changed from \(original) to \(byte)"
            }
            changed[place] = original
        }
    }

    /// Writes `changed` as JSON and expects `value` to be read from it.
    private mutating func expect(
        _ value: Value,
        _ document: ModelDocument,
        fromDocument changed: ModelDocument,
        _ law: LawViolation.Law
    ) {
        do {
            expect(value, document, from: try changed.encoded(as: .json), law)
        } catch {
            report(law, "its document cannot be written again: \(error)", Data())
        }
    }

    /// Reads `data` and expects `value`. Without an `==` the value that is read has to be written
    /// as `document`, which `value` was written as.
    private mutating func expect(
        _ value: Value,
        _ document: ModelDocument,
        from data: Data,
        _ law: LawViolation.Law,
        _ format: ModelFormat = .json
    ) {
        let place = format == .json ? "" : " as \(format.name)"
        let again: Value
        do {
            again = try read(data, format)
        } catch {
            return report(law, "it cannot be read\(place): \(error)", data)
        }
        do {
            if let isEqual = areEqual(value, again) {
                if isEqual { return }
                let written = try write(again, .json)
                return report(
                    law,
                    "another value is read\(place), which is written as "
                        + String(decoding: written.prefix(400), as: UTF8.self),
                    data
                )
            }
            let written = try write(again, .json)
            if try ModelDocument(decoding: written, as: .json) == document { return }
            report(
                law,
                "what is read\(place) is written as \(String(decoding: written.prefix(400), as: UTF8.self))",
                data
            )
        } catch {
            report(law, "what is read cannot be written: \(error)", data)
        }
    }

    /// Reads a broken document. Any value is allowed, since a changed byte may make another valid
    /// document; a trap ends the test run, which no checker can report.
    private mutating func expectValueOrError(
        _ data: Data,
        _ law: LawViolation.Law,
        _ format: ModelFormat,
        _ explanation: () -> String
    ) {
        do {
            _ = try read(data, format)
        } catch is ModelDecodingError {
            // As it should be.
        } catch {
            report(
                law,
                "\(explanation())\(format == .json ? "" : " as \(format.name)"), it throws \(type(of: error)): \(error)",
                data
            )
        }
    }

    /// Notes a violation, unless there are enough of its law.
    private mutating func report(_ law: LawViolation.Law, _ explanation: String, _ data: Data) {
        guard violations.count(where: { $0.law == law }) < Self.mostOfALaw else { return }
        violations.append(
            LawViolation(
                law: law,
                model: subject,
                explanation: explanation,
                document: String(decoding: data, as: UTF8.self),
                seed: seed
            )
        )
    }
}

/// The default of `changes` in ``checkModel(_:changes:seed:fileID:line:)``: enough for every change
/// of one byte in a document of 200 bytes.
public let defaultLawChanges = 51_200
