import DovetailSyntax
import SwiftSyntax

/// Writes the declarations beside a model protocol and its extension.
///
/// For `protocol Pet` these are `PetModel`, the coding of `any Pet`, and with `unknown: .preserve` the
/// struct `UnknownPet`. The library calls them through the protocols `ProtocolCoding` and
/// `PreservingCoding`. The extension has a member, `_dovetailCoding`, that names the coding.
///
/// ```swift
/// nonisolated enum PetModel: Dovetail::ProtocolCoding {
///     typealias Value = any Pet
///     static let tagging: Dovetail::ConformerTagging = …
///     static let conformers = Dovetail::ConformerTable<any Pet>("Pet", tagging: tagging) { … }
///     static let requirements: Dovetail::ModelRequirements = Dovetail::ModelRequirements(
///         of: "Pet",
///         [Dovetail::ModelRequirement("name", \(any Pet).name)],
///         inheriting: []
///     )
///     static func typeName(of value: any Pet) -> Swift::String { type(of: value).typeName }
/// }
/// extension Pet {
///     nonisolated var _dovetailCoding: PetModel.Type { PetModel.self }
/// }
/// ```
struct ModelProtocolSource {
    let model: ProtocolDeclaration
    /// The name of the protocol at file scope, where its extensions are: `API.Pet`.
    var qualifiedName = ""
    private var name: String { model.name }
    private var access: String { model.access }

    /// The declarations beside the protocol, one text for each.
    var peers: [String] {
        let coding = SourceText.at(depth: 0, writeCoding)
        var peers = [coding]
        if model.unknown == .preserve { peers.append(SourceText.at(depth: 0, writeUnknown)) }
        if model.hasWrapper { peers.append(SourceText.at(depth: 0, writeWrapper)) }
        return peers
    }

    /// Writes the type that makes a model value of `any P`, for generic models.
    private func writeWrapper(to source: inout SourceText) {
        source.line("/// A value of `any \(name)` that generic models can hold.")
        // Nobody infers it of a public struct.
        let sendable = model.isSendable ? ", Swift::Sendable" : ""
        let head = "nonisolated \(access)struct Any\(name): Dovetail::ProtocolWrapper\(sendable)"
        source.block(head) {
            $0.line("\(access)typealias Coding = \(name)Model")
            $0.line("/// The value.")
            $0.line("\(access)var wrapped: any \(name)")
            $0.line("/// Wraps a value.")
            $0.block("\(access)init(_ wrapped: any \(name))") { $0.line("self.wrapped = wrapped") }
        }
    }

    /// The members of the protocol's extension: `encoded(as:)`, which writes the type key, the
    /// implementation of ``boxing``, and the member by which generated code finds the coding. The
    /// first is disfavoured, so that a value of a concrete type is written as that type.
    func writeExtension(to source: inout SourceText) {
        let coding = "\(qualifiedName)Model"
        source.line("/// The coding of `any \(name)`. Called by generated code.")
        source.block("\(access)var _dovetailCoding: \(coding).Type") { $0.line("\(coding).self") }
        source.line("/// Writes a document that says the type, as `any \(name)`.")
        source.line("@_disfavoredOverload")
        source.block(
            "\(access)func encoded(as format: Dovetail::ModelFormat) throws -> Foundation::Data"
        ) {
            $0.line(
                "try Dovetail::ModelWriter.encode(as: format) "
                    + "{ try \(coding).encode(self, to: &$0) }"
            )
        }
        source.line("/// Reads a value as `any \(name)`. Called by generated code.")
        if access == "public " { source.line("@inlinable") }
        source.block("\(access)\(boxing(as: qualifiedName))") {
            $0.line("try Self(modelValue: &reader)")
        }
    }

    /// The requirement that reads a conformer as `any P`. The compiler makes one for each
    /// conformer, where it knows the size of the type. Without it the box of the existential is
    /// made from the metatype, with a look-up in a table of the runtime that takes a tenth of the
    /// time of reading.
    var boxing: String { boxing(as: name) }

    private func boxing(as name: String) -> String {
        "static func _boxed(from reader: inout Dovetail::ModelReader) throws -> any \(name)"
    }

    /// Writes the protocol's properties for preserved elements: each is answered from the element's
    /// field of that name. They are in an extension of the protocol, so that the preserved elements
    /// of a protocol that refines it have them too.
    func writeAnswers(to source: inout SourceText) {
        for (name, type) in model.answers {
            let coding =
                CodingExpression.of(type, spelling: spelling).map { ", by: \($0)" } ?? ""
            let key = RawSource.literal(name.filter { $0 != "`" })
            source.block("\(access)var \(name): \(spelling(type.trimmedDescription))") {
                $0.line("self.preserved.answer(\(key)\(coding))")
            }
        }
    }

    /// How the extension names a type of the protocol: by a typealias in the coding where the
    /// protocol is inside of a type, whose declarations the extension does not see.
    private func spelling(_ type: String) -> String {
        model.localTypes.firstIndex(of: type).map {
            "\(qualifiedName)Model._$Types.T\($0)"
        } ?? type
    }

    /// Writes those typealiases.
    private func writeTypes(to source: inout SourceText) {
        guard !model.localTypes.isEmpty else { return }
        source.block("\(access)enum _$Types") { source in
            for (index, type) in model.localTypes.enumerated() {
                source.line("\(access)typealias T\(index) = \(type)")
            }
        }
    }

    /// Writes the type of preserved elements.
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

    /// Writes the coding: how values are tagged, which types there are, and how one is written.
    private func writeCoding(to source: inout SourceText) {
        var conformance = model.unknown == .preserve ? "PreservingCoding" : "ProtocolCoding"
        if model.typeName != nil { conformance += ", Dovetail::ProtocolLevel" }
        source.block("nonisolated \(access)enum \(name)Model: Dovetail::\(conformance)") { source in
            source.line("\(access)typealias Value = any \(name)")
            source.line("\(access)static let tagging: Dovetail::ConformerTagging = \(tagging)")
            writeConformers(to: &source)
            writeLevel(to: &source)
            writeRequirements(to: &source)
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
            writeTypes(to: &source)
        }
    }

    /// Writes the table of conformers. The closure turns a type of the program into a function that
    /// reads it, and answers nil for one that does not conform.
    private func writeConformers(to source: inout SourceText) {
        let table = "Dovetail::ConformerTable<any \(name)>"
        var arguments = [RawSource.literal(name), "tagging: tagging"]
        if let conformers = model.conformers {
            let list = "[\(conformers.joined(separator: ", "))]"
            arguments.append("only: { \(list) as [any \(name).Type] }")
        }
        if let absent = model.absent { arguments.append("absent: { \(absent) }") }
        let call = "\(table)(\(arguments.joined(separator: ", ")))"
        source.line("\(access)static let conformers = \(call) { model in")
        source.indented {
            $0.line("guard let type = model as? any \(name).Type else { return nil }")
            $0.line("return { reader in try type._boxed(from: &reader) }")
        }
        source.line("}")
    }

    /// Writes the protocols of which this one is a conformer; nothing for one without a name.
    private func writeLevel(to source: inout SourceText) {
        guard let typeName = model.typeName else { return }
        source.line("\(access)static var parents: [Dovetail::LevelParent?] {")
        source.indented { source in
            source.line("[")
            source.indented { source in
                for parent in model.parentsWithRequirements {
                    let coding = CodingExpression.ofProtocol(named: parent)
                    source.line(
                        "Dovetail::_level(Self.self, named: \(RawSource.literal(typeName)), "
                            + "of: \(coding)) { reader in"
                    )
                    source.indented { $0.line("try Self.decode(from: &reader)") }
                    source.line("},")
                }
            }
            source.line("]")
        }
        source.line("}")
        source.line("@used private static func _$keep() -> Any.Type { Self.self }")
    }

    /// Writes the properties that the protocol requires, as key paths, with those of its parents.
    private func writeRequirements(to source: inout SourceText) {
        let requirements = model.requirements.map { requirement in
            "Dovetail::ModelRequirement(\(RawSource.literal(requirement.plainName)), "
                + "\\(any \(name)).\(requirement.name))"
        }
        let parents = model.parentsWithRequirements.map { parent in
            "(\(RawSource.literal(parent)), "
                + "\(CodingExpression.ofProtocol(named: parent)).requirements)"
        }
        let arguments = [
            "of: \(RawSource.literal(name))", "[\(requirements.joined(separator: ", "))]",
            "inheriting: [\(parents.joined(separator: ", "))]",
        ]
        let type = "Dovetail::ModelRequirements"
        source.line(
            "\(access)static let requirements: \(type) = \(type)("
                + arguments.joined(separator: ", ") + ")"
        )
    }

    /// Writes what the coding says of unknown elements; nothing for `.throw`, which is its default.
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

    /// The call that makes the tagging: what the protocol says, and the taggings of its parents for
    /// the rest. A parent that is no model protocol has none, which overload resolution finds.
    private var tagging: String {
        let parents = model.parents.map { CodingExpression.ofProtocol(named: $0) + ".tagging" }
        var arguments = ["inheriting: [\(parents.joined(separator: ", "))]"]
        var path = model.typeKey?.components ?? []
        if case .adjacent(let tag, _) = model.tagging { path = [tag] }
        if let key = path.first { arguments.append("typeKey: \(RawSource.literal(key))") }
        if path.count > 1 {
            arguments.append("path: \(RawSource.list(Array(path.dropFirst())))")
        }
        if let name = model.typeName { arguments.append("level: \(RawSource.literal(name))") }
        if let aliases = model.aliases { arguments.append("aliases: \(RawSource.list(aliases))") }
        switch model.tagging {
        case .internal: arguments.append("form: .internal")
        case .external: arguments.append("form: .external")
        case .untagged: arguments.append("form: .untagged")
        case .adjacent(_, let content):
            arguments.append("form: .adjacent")
            arguments.append("content: \(RawSource.literal(content))")
        case nil: break
        }
        if let kind = model.tagKind { arguments.append("kind: .\(kind.rawValue)") }
        return "Dovetail::ConformerTagging(\(arguments.joined(separator: ", ")))"
    }
}
