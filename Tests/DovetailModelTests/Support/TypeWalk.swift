import Dovetail

/// A value that wraps another one: an enum over what a field may hold.
protocol ModelUnion {
    /// What is held; a string, a model, or an array of these.
    var content: Any { get }
}

/// Walks through models and the document that they were read from, side by side, and compares the
/// types that the document names with the types of the values.
struct TypeWalk {
    /// The field that holds a type's name.
    let typeKey: String
    /// The names that a type has been declared for.
    let knownNames: Set<String>
    /// How many objects named a type and were met as a value of this type.
    private(set) var kept = 0
    /// The names that these had.
    private(set) var names: Set<String> = []
    /// The names of objects that name none of the known ones.
    private(set) var unknownNames: [String] = []
    /// Where an object named another type than its value has.
    private(set) var problems: [String] = []

    init(typeKey: String, knownNames: [String]) {
        self.typeKey = typeKey
        self.knownNames = Set(knownNames)
    }

    mutating func walk(_ value: Any, beside document: ModelDocument, _ place: String) {
        switch value {
        case let optional as any OptionalContent:
            if let content = optional.content { walk(content, beside: document, place) }
        case let union as any ModelUnion:
            walk(union.content, beside: document, place)
        case let model as any Model:
            compareTypes(model, document, place)
            walkAttributes(of: model, beside: document, place)
        case let array as [Any]:
            for (index, (element, other)) in zip(array, document.arrayValue ?? []).enumerated() {
                walk(element, beside: other, "\(place)[\(index)]")
            }
        case let dictionary as [String: Any]:
            for (key, element) in dictionary {
                guard let other = document[key: key] else { continue }
                walk(element, beside: other, "\(place).\(key)")
            }
        default: break
        }
    }

    private mutating func walkAttributes<Value: Model>(
        of model: Value,
        beside document: ModelDocument,
        _ place: String
    ) {
        for attribute in Value.modelAttributes {
            guard let other = document[key: attribute.name],
                let value = model[keyPath: attribute.keyPath as AnyKeyPath]
            else { continue }
            walk(value, beside: other, "\(place).\(attribute.name)")
        }
    }

    private mutating func compareTypes(
        _ model: any Model,
        _ document: ModelDocument,
        _ place: String
    ) {
        let named = Self.typeNames(of: document, typeKey)
        guard !named.isEmpty else { return }
        guard let name = named.first(where: knownNames.contains) else {
            return unknownNames.append(contentsOf: named)
        }
        let type = Swift.type(of: model)
        guard type.typeName == name else {
            return problems.append("\(place): \(name) was read as \(type)")
        }
        kept += 1
        names.insert(name)
    }

    /// The names that an object gives its type: one string, or a list of them.
    static func typeNames(of document: ModelDocument, _ typeKey: String) -> [String] {
        guard document.kind == .object, let value = document[key: typeKey] else { return [] }
        return value.stringValue.map { [$0] } ?? value.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// How many objects of a document name a type.
    static func count(in document: ModelDocument, _ typeKey: String) -> Int {
        let inside = (document.members?.map(\.value) ?? []) + (document.arrayValue ?? [])
        return inside.reduce(typeNames(of: document, typeKey).isEmpty ? 0 : 1) {
            $0 + count(in: $1, typeKey)
        }
    }
}

/// Tells an optional in an `Any`.
private protocol OptionalContent {
    var content: Any? { get }
}

extension Optional: OptionalContent {
    fileprivate var content: Any? { self }
}
