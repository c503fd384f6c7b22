import DovetailSyntax
import SwiftSyntax

/// Writes what stands beside a model protocol: the coding of `any P`, the overload through which
/// generated code finds it, and the type of elements that are kept as they are.
struct ModelProtocolSource {
    let model: ProtocolDeclaration
    private var name: String { model.name }
    private var access: String { model.access }

    /// The declarations beside the protocol, a text each.
    var peers: [String] {
        let coding = SourceText.at(depth: 0, writeCoding)
        let overload = SourceText.at(depth: 0) {
            $0.block(
                "nonisolated \(access)func _dovetailCoding(_: (any \(name))?) -> \(name)Model.Type"
            ) {
                $0.line("\(name)Model.self")
            }
        }
        guard model.unknown == .preserve else { return [coding, overload] }
        return [coding, overload, SourceText.at(depth: 0, writeUnknown)]
    }

    /// The members of the protocol's extension.
    func writeExtension(to source: inout SourceText) {
        source.line("/// Writes a document that says the type, as `any \(name)`.")
        source.line("@_disfavoredOverload")
        source.block(
            "\(access)func encoded(as format: Dovetail::ModelFormat) throws -> Foundation::Data"
        ) {
            $0.line(
                "try Dovetail::ModelWriter.encode(as: format) "
                    + "{ try \(name)Model.encode(self, to: &$0) }"
            )
        }
        source.line("/// Reads a value as `any \(name)`. Called by generated code.")
        if access == "public " { source.line("@inlinable") }
        source.block("\(access)\(boxing)") {
            $0.line("try Self(modelValue: &reader)")
        }
    }

    /// The requirement that gives a conformer as `any P`. The compiler writes it once a conformer,
    /// where it knows the size of the type; made of the metatype alone, the box of the existential
    /// is looked up in a table of the runtime, which took a tenth of the time of reading.
    var boxing: String {
        "static func _boxed(from reader: inout Dovetail::ModelReader) throws -> any \(name)"
    }

    /// What the protocol asks for, answered for elements that are kept as they are. In an extension
    /// of the protocol, so that those of protocols that refine it have the answers too.
    func writeAnswers(to source: inout SourceText) {
        for (name, type) in model.answers {
            let coding = CodingExpression.atFileScope(of: type).map { ", by: \($0)" } ?? ""
            let key = RawSource.literal(name.filter { $0 != "`" })
            source.block("\(access)var \(name): \(type)") {
                $0.line("self.preserved.answer(\(key)\(coding))")
            }
        }
    }

    private func writeUnknown(to source: inout SourceText) {
        source.line(
            "/// An element of a document that no conformer of `\(name)` could read, as it is."
        )
        source.block("nonisolated \(access)struct Unknown\(name): \(name), Dovetail::UnknownModel")
        {
            $0.line("\(access)let preserved: Dovetail::PreservedElement")
            $0.block("\(access)init(preserved: Dovetail::PreservedElement)") {
                $0.line("self.preserved = preserved")
            }
        }
    }

    private func writeCoding(to source: inout SourceText) {
        let conformance = model.unknown == .preserve ? "PreservingCoding" : "ProtocolCoding"
        source.block("nonisolated \(access)enum \(name)Model: Dovetail::\(conformance)") { source in
            source.line("\(access)typealias Value = any \(name)")
            source.line("\(access)static let tagging: Dovetail::ConformerTagging = \(tagging)")
            writeConformers(to: &source)
            source.block("\(access)static func modelType(of value: any \(name)) -> Any.Type") {
                $0.line("type(of: value)")
            }
            source.block("\(access)static func typeName(of value: any \(name)) -> Swift::String") {
                if model.unknown == .preserve {
                    $0.line("let unknown = value as? any Dovetail::UnknownModel")
                    $0.line("return unknown?.preserved.typeName ?? type(of: value).typeName")
                } else {
                    $0.line("type(of: value).typeName")
                }
            }
            source.block(
                "\(access)static func encodeContent(_ value: any \(name), "
                    + "to writer: inout Dovetail::ModelWriter) throws"
            ) {
                $0.line("try value.encode(to: &writer)")
            }
            writePolicy(to: &source)
        }
    }

    private func writeConformers(to source: inout SourceText) {
        let table = "Dovetail::ConformerTable<any \(name)>"
        var arguments = [RawSource.literal(name), "tagging: tagging"]
        if let conformers = model.conformers {
            let list = "[\(conformers.joined(separator: ", "))]"
            arguments.append("only: { \(list) as [any \(name).Type] }")
        }
        let call = "\(table)(\(arguments.joined(separator: ", ")))"
        source.line("\(access)static let conformers = \(call) { model in")
        source.indented {
            $0.line("guard let type = model as? any \(name).Type else { return nil }")
            $0.line("return { reader in try type._boxed(from: &reader) }")
        }
        source.line("}")
    }

    private func writePolicy(to source: inout SourceText) {
        switch model.unknown {
        case .preserve:
            source.block(
                "\(access)static func unknown(_ element: Dovetail::PreservedElement) -> any \(name)"
            ) {
                $0.line("Unknown\(name)(preserved: element)")
            }
        case .skip: source.line("\(access)static var skipsUnknown: Swift::Bool { true }")
        case .throw: break
        }
    }

    /// What the protocol says itself, and the parents that it has the rest from.
    private var tagging: String {
        let parents = model.parents.map { "_dovetailCoding(nil as (any \($0))?).tagging" }
        var arguments = ["inheriting: [\(parents.joined(separator: ", "))]"]
        var key = model.typeKey
        if case .adjacent(let tag, _) = model.tagging { key = tag }
        if let key { arguments.append("typeKey: \(RawSource.literal(key))") }
        if let aliases = model.aliases { arguments.append("aliases: \(RawSource.list(aliases))") }
        switch model.tagging {
        case .internal: arguments.append("form: .internal")
        case .external: arguments.append("form: .external")
        case .adjacent(_, let content):
            arguments.append("form: .adjacent")
            arguments.append("content: \(RawSource.literal(content))")
        case nil: break
        }
        if let kind = model.tagKind { arguments.append("kind: .\(kind.rawValue)") }
        return "Dovetail::ConformerTagging(\(arguments.joined(separator: ", ")))"
    }
}
