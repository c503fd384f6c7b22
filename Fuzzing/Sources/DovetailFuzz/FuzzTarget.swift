import Dovetail
import Foundation

/// What an input is checked as. An input is always a plain document, with nothing in front of it,
/// so files of any corpus are seeds and a kept input can be read by eye.
enum FuzzTarget: String, CaseIterable {
    /// A model with a field of every kind, in JSON.
    case model
    /// Any document in JSON, through every format.
    case document
    /// Lists of `any P`, with every form of tagging.
    case polymorphic
    /// Lists of older models, and of elements that are kept, through every format.
    case migration
    /// A property list in XML, as a document and as a model.
    case xml
    /// A binary property list, as a document and as a model.
    case binary
    /// The elements of an array in JSON that comes in pieces.
    case stream
    /// The text of one number or date, against the C library; and the bits of a number.
    case scalars

    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["DOVETAIL_FUZZ"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            print("error: DOVETAIL_FUZZ is one of", allCases.map(\.rawValue).joined(separator: " "))
            exit(1)
        }
        return target
    }()

    /// Checks the laws of the target, and ends the process where one is broken.
    ///
    /// - Returns: Whether the input was one for this target.
    func check(_ data: Data) -> Bool {
        switch self {
        case .model: checkModel(data, as: .json)
        case .document: checkDocument(data, as: .json)
        case .polymorphic: checkEveryTagging(data)
        case .migration: checkMigrations(data)
        case .xml, .binary:
            // Either form is read under either name, so the content has to choose.
            guard data.starts(with: Data("bplist".utf8)) == (self == .binary) else { return false }
            checkDocument(data, as: .plist)
            checkModel(data, as: .plist)
        case .stream: checkStream(data)
        case .scalars: checkScalars(data)
        }
        return true
    }
}

/// Ends the process, so that libFuzzer keeps the input.
func broken(_ law: String, _ details: Any...) -> Never {
    let lines = ["broken law: \(law)"] + details.map { "    \($0)" }
    FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    abort()
}

/// What `read` gives; nil when it throws an error of the type that reading throws.
func value<Value>(_ law: String, _ read: () throws -> Value) -> Value? {
    do {
        return try read()
    } catch let error as ModelDecodingError {
        if error.description.isEmpty { broken(law, "an error says nothing") }
        return nil
    } catch {
        broken("\(law): an error of another type", type(of: error), error)
    }
}

/// What `write` gives; nil when the format has no form for it.
func written(_ law: String, _ write: () throws -> Data) -> Data? {
    do {
        return try write()
    } catch let error as ModelEncodingError where error.kind == .notRepresentable {
        return nil
    } catch {
        broken("\(law): an error of another kind", error)
    }
}

/// What `body` gives, which may not throw.
func must<Value>(_ law: String, _ details: Any..., body: () throws -> Value) -> Value {
    do {
        return try body()
    } catch {
        broken(law, error, details)
    }
}

extension Data {
    var text: String { String(decoding: self, as: UTF8.self) }
}
