import Dovetail

/// Models of the chat service Discord, from the tables and examples of its reference for developers.
///
/// Its habits: a field that may be absent, one that may be null and one that may be both are three
/// things; names of types are numbers; identifiers are numbers in strings; permissions are sets of bits
/// in strings; numbers of kinds grow with the service, so an unknown one is kept.
enum Discord {
    /// A 64-bit number that is written as a string.
    struct Snowflake: TypedIdentifier, ExpressibleByStringLiteral, UnknownDefault {
        let rawValue: String
        static var unknownDefault: Snowflake { "" }
        init(rawValue: String) { self.rawValue = rawValue }
        init(stringLiteral value: String) { rawValue = value }
    }

    /// A number that stands for a kind, of which the service may make new ones.
    struct Kind<Model>: RawRepresentable, Hashable, ModelValue {
        let rawValue: Int
        init(rawValue: Int) { self.rawValue = rawValue }
        init(_ rawValue: Int) { self.rawValue = rawValue }
    }

    /// Bits in a string: `"2147483647"`.
    struct Permissions: OptionSet, Hashable, ModelValue {
        let rawValue: UInt64
        static let administrator = Permissions(rawValue: 1 << 3)
        static let sendMessages = Permissions(rawValue: 1 << 11)

        init(rawValue: UInt64) { self.rawValue = rawValue }
        init(modelValue reader: inout ModelReader) throws {
            guard let bits = UInt64(try String(modelValue: &reader)) else {
                throw reader.rejected(expected: "a number in a string")
            }
            rawValue = bits
        }
        func encode(to writer: inout ModelWriter) throws {
            try String(rawValue).encode(to: &writer)
        }
    }

    /// An error of a request: a tree of fields whose leaves are lists.
    @Model(naming: .snakeCase, unknownFields: .preserve)
    struct Failure: Equatable {
        var code: Int
        var message: String
        var errors: [String: Problem]?
    }

    /// `{"_errors":[…]}`, or an object of the same by the names of fields and places in lists.
    @Model(tagging: .untagged) indirect enum Problem: Equatable {
        case leaf(Leaf), fields([String: Problem])

        @Model struct Leaf: Equatable {
            @Attribute(name: "_errors") var errors: [Detail]
        }
        @Model struct Detail: Equatable {
            var code: String
            var message: String
        }
    }

    /// The answer that one has sent too much.
    @Model(naming: .snakeCase)
    struct RateLimit: Equatable {
        var message: String
        var retryAfter: ExactNumber
        var global: Bool
        var code: Int?
    }
}
