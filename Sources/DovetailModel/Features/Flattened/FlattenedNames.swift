import Synchronization

/// The names of all fields of an object in which models are flattened, resolved once for each type at
/// its first use.
///
/// A macro sees one declaration, so only the program knows what the fields of a flattened model are.
/// This is where they meet: names that two fields share are found here, names with a prefix are made,
/// and the order of all names, in which most documents have them, helps to find the next one.
///
/// It is a pointer to what was resolved, and not an object, since it is handed on with each value that is
/// read or written. Invariant of the unchecked `Sendable`: nothing changes after `init`, and all of it is
/// in memory that is never freed.
@frozen
public struct FlattenedNames: @unchecked Sendable {
    /// What is looked at for each value.
    @frozen
    @usableFromInline
    struct Contents {
        /// The names of the model's own fields as JSON, in their order; empty without a prefix.
        @usableFromInline let tokens: UnsafeBufferPointer<StaticString>
        /// Those of the models that are flattened in the model, in their order.
        @usableFromInline let members: UnsafeBufferPointer<FlattenedNames>
        /// The names in their order, as ``ExpectedNames`` goes through them.
        @usableFromInline let expected: StaticString
        @usableFromInline let isValid: Bool
        /// Invariant: it has a reference that is never released.
        @usableFromInline let resolved: Unmanaged<ResolvedNames>
    }

    @usableFromInline let contents: UnsafePointer<Contents>

    /// Whether no two fields have one name.
    @inlinable var isValid: Bool { contents.pointee.isValid }
    /// The names in their order, as ``ExpectedNames`` goes through them.
    @inlinable public var expected: StaticString { contents.pointee.expected }
    /// The names, for errors.
    var names: [Name] { contents.pointee.resolved.takeUnretainedValue().names }
    /// Why objects of the type cannot be told from each other: two fields have one name.
    var problem: String? { contents.pointee.resolved.takeUnretainedValue().problem }

    /// A name in the object, with the name by which its model knows it.
    struct Name {
        /// In the object of the model that this is of.
        let own: String
        /// The key path from that model.
        let property: String
        let isAlias: Bool
    }

    /// Those of a model that is in no other one, and in which none is.
    public static let own = FlattenedNames(ResolvedNames(), tokens: [], members: [], expected: "")

    /// Puts what was resolved where it stays.
    private init(
        _ resolved: ResolvedNames,
        tokens: [StaticString],
        members: [FlattenedNames],
        expected: StaticString
    ) {
        let memory = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
        memory.initialize(
            to: Contents(
                tokens: Self.kept(tokens),
                members: Self.kept(members),
                expected: expected,
                isValid: resolved.problem == nil,
                resolved: .passRetained(resolved)
            )
        )
        contents = UnsafePointer(memory)
    }

    private static func kept<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = memory.initialize(from: elements)
        return UnsafeBufferPointer(memory)
    }

    /// Resolves the names of a model. Called by generated code, once for each type.
    ///
    /// - Complexity: linear in the number of all fields.
    public init(of type: any Model.Type, _ fields: [FlattenedField]) {
        self.init(type, fields, prefix: nil, around: [])
    }

    private init(
        _ type: any Model.Type,
        _ fields: [FlattenedField],
        prefix: String?,
        around outer: [String]
    ) {
        let prefixes = (prefix.map { [$0] } ?? []) + outer
        var names: [Name] = []
        var aliases: [Name] = []
        var members: [FlattenedNames] = []
        var tokens: [StaticString] = []
        for field in fields {
            let property = field.property.description
            switch field.content {
            case .name(let name):
                names.append(Name(own: name.description, property: property, isAlias: false))
                if !prefixes.isEmpty {
                    tokens.append(.token(prefixes.reduce(name.description) { .join($1, $0) }))
                }
            case .alias(let name):
                aliases.append(Name(own: name.description, property: property, isAlias: true))
            case .model(let value, let inner):
                let model = value.flattenedModel
                let member = FlattenedNames(
                    model,
                    model.flattenedFields,
                    prefix: inner?.description,
                    around: prefixes
                )
                members.append(member)
                for name in member.names {
                    let own = inner.map { FlattenedField.join($0.description, name.own) }
                    let path = "\(property).\(name.property)"
                    let joined = Name(
                        own: own ?? name.own,
                        property: path,
                        isAlias: name.isAlias
                    )
                    if name.isAlias { aliases.append(joined) } else { names.append(joined) }
                }
            }
        }
        names += aliases
        var first: [String: String] = [:]
        var problem: String?
        for name in names {
            if let other = first.updateValue(name.property, forKey: name.own), problem == nil {
                problem = "\"\(name.own)\" in \(type) as \(other) and as \(name.property)"
            }
        }
        let resolved = ResolvedNames(
            names: names,
            prefixes: prefixes,
            keys: prefix.map { prefix in
                NameTable(names.map { (FlattenedField.join(prefix, $0.own), $0.own) })
            },
            problem: problem
        )
        self.init(
            resolved,
            tokens: tokens,
            members: members,
            expected: outer.isEmpty && prefix == nil ? .expected(names.map(\.own)) : ""
        )
    }
}

/// What ``FlattenedNames`` found, but for what each value needs.
@usableFromInline
final class ResolvedNames: Sendable {
    let names: [FlattenedNames.Name]
    /// What is put before the names of the model in the document, the innermost prefix first.
    let prefixes: [String]
    /// What finds a name of the model by the one with its last prefix; nil without a prefix.
    let keys: NameTable?
    let problem: String?

    init(
        names: [FlattenedNames.Name] = [],
        prefixes: [String] = [],
        keys: NameTable? = nil,
        problem: String? = nil
    ) {
        (self.names, self.prefixes, self.keys, self.problem) = (names, prefixes, keys, problem)
    }
}

extension FlattenedNames {
    /// The names of a type that is generic, which can have no stored property for them. Called by
    /// generated code.
    ///
    /// - Complexity: O(1) but for the first time.
    public static func shared(
        of type: any Model.Type,
        _ fields: @autoclosure () -> [FlattenedField]
    ) -> FlattenedNames {
        let identifier = ObjectIdentifier(type)
        if let known = known.withLock({ $0[identifier] }) { return known }
        let new = FlattenedNames(of: type, fields())
        return known.withLock { all in
            if let other = all[identifier] { return other }
            all[identifier] = new
            return new
        }
    }

    private static let known = Mutex<[ObjectIdentifier: FlattenedNames]>([:])

    /// The names of a model that is flattened in the model. Called by generated code.
    ///
    /// - Parameter position: Which one, in the order of the declaration.
    @inlinable
    public func member(_ position: Int) -> FlattenedNames {
        let members = contents.pointee.members
        return position < members.count ? members[position] : .own
    }

    /// The name of one of the model's own fields as JSON. Called by generated code.
    ///
    /// - Parameters:
    ///   - position: Which one, in the order of the declaration.
    ///   - token: The name without a prefix.
    @inlinable
    @inline(__always)
    public func token(_ position: Int, _ token: StaticString) -> StaticString {
        let tokens = contents.pointee.tokens
        return position < tokens.count ? tokens[position] : token
    }

    /// The model's own name for a field of the object; nil for a field of somebody else.
    @usableFromInline
    func ownKey(of key: FieldKey) -> FieldKey? {
        contents.pointee.resolved._withUnsafeGuaranteedRef { $0.keys?.key(key) }
    }

    /// The name in the document of one of the model's own.
    func documentName(of own: String) -> String {
        let prefixes = contents.pointee.resolved.takeUnretainedValue().prefixes
        return prefixes.reduce(own) { FlattenedField.join($1, $0) }
    }
}

extension String {
    fileprivate static func join(_ prefix: String, _ name: String) -> String {
        FlattenedField.join(prefix, name)
    }
}
