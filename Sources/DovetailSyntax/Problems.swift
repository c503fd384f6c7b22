public import SwiftDiagnostics
public import SwiftSyntax

/// Everything that the macros can complain about. The message says the cause and the remedy, at the
/// line of the source that is to be changed.
///
/// A problem of a kind that the compiler reports by itself has no case here: wrong labels, unknown
/// options, types that do not conform. `EveryProblemTests` looks for a test of each case.
public enum Problem: DiagnosticMessage {
    /// `@Model` at something that is no struct, enum or class: `@Model actor Counter {}`.
    case unsupportedDeclaration
    /// A model inside of a function. The compiler lets no macro write an extension there.
    case localModel
    /// A stored property inside of an `#if` that a macro cannot evaluate: `#if canImport(Glibc)`.
    case conditionalProperty(String)
    /// A model that belongs to an actor: `@MainActor @Model struct User { … }`.
    case isolatedModel
    /// A class that no context keeps and that may have subclasses:
    /// `@Model(managed: false) class User { … }`.
    case openClass
    /// A class that no context keeps, and whose superclass is a managed model.
    case unmanagedSubclass
    /// What only a class without superclass can say: `table:`, a primary key, a path of names.
    case optionOfSubclass(String)
    /// What a class cannot say that has subclasses or is one: `version:`, `unknownFields:`.
    case optionInHierarchy(String)
    /// A subclass without initializers of its own that cannot have those of its superclass: one that is
    /// not final, or has observers.
    case inheritedInitializers(String)
    /// A private type inside of another one, which the extension at file scope cannot name.
    case privateNestedModel
    /// An enum without cases, which has no value.
    case enumWithoutCases
    /// A case inside of an `#if` that a macro cannot evaluate, in an enum without a raw type.
    case conditionalCase
    /// `@Attribute`, `@Transient` or `@Fallback` inside of an `#if` that a macro cannot evaluate.
    case conditionalAttribute
    /// A name in documents for several cases: `@Attribute(name: "x") case a, b`.
    case severalNamedCases
    /// A name of a case that is a path: `@Attribute(name: "a.b") case c`.
    case nestedCase(String)
    /// An option at a case, which only properties have: `@Transient case a`.
    case optionOfCase
    /// A name in documents for a case of an enum with a raw type, which has its raw value.
    case namedRawCase
    /// Two cases, or two values of one case, with the same name in documents.
    case repeatedCaseName(String)
    /// A stored property without a type, whose default does not show it: `var list = []`.
    case untypedProperty(String)
    /// A stored property that is a tuple pattern: `let (a, b) = …`.
    case tupleProperty
    /// Several properties in one declaration of a class that a context keeps, where each needs accessors of
    /// its own: `var width = 1, height = 2`.
    case severalProperties
    /// Two attributes with the same name in documents.
    case repeatedName(String)
    /// A field that is a value for one attribute and an object for another: the names `a` and
    /// `a.b`.
    case valueAndObject(String)
    /// An alias that is another name or alias of the model.
    case repeatedAlias(String)
    /// A path with an empty name: `a..b`.
    case emptyNameInPath(String)
    /// Aliases that are not written out: `aliases: oldNames`.
    case aliasesAreNoLiteral
    /// An option of `@Attribute` that is not written out: `@Attribute(option)`.
    case optionIsNoLiteral
    /// Two transforms of one property.
    case twoTransforms
    /// `.transformable(by:)` with a name, or another expression that is no type.
    case transformerIsNoType
    /// `.transformed(elementsBy:)` at a type that is not written as a collection.
    case transformWithoutElements
    /// `unknown: .skip` at a type that is not written as a collection.
    case skipWithoutElements
    /// `.omittedWhenEmpty` at an optional: an absent field would be nil and not the empty value.
    case optionalOmittedWhenEmpty
    /// `.nullWhenNil` at a property that is surely no optional.
    case nullWithoutOptional
    /// `.nullWhenNil` at a property for which null is no absent field: `Int??`.
    case nullIsAValue
    /// A default at a property for which null is no absent field: `var x: Int?? = 1`.
    case defaultBesideNull
    /// `.constant` at a property that is no `let` with a value.
    case constantWithoutValue
    /// A `let` whose value is another one each time: `let id = UUID()`.
    case constantThatDiffers(String)
    /// `.primaryKey` at a `let` with a value, which no row can change.
    case constantKey
    /// `.generated` at a property that is no primary key.
    case generatedWithoutKey
    /// `.generated` at a type that is not written as an optional of `Int64` or `Int`.
    case generatedKeyIsNoInteger
    /// `.generated` beside other properties with `.primaryKey`.
    case generatedInCompositeKey
    /// Two `.references` of one property.
    case twoReferences
    /// `.references` with anything but a type: `.references(target)`.
    case referenceIsNoType
    /// A delete rule that is not written out: `deleteRule: rule`.
    case deleteRuleIsNoLiteral
    /// `.references` at a collection: `var teams: [Team.ID]`.
    case referenceOfCollection
    /// `deleteRule: .nullify` at a property that is surely no optional.
    case nullifyWithoutOptional
    /// An option for a column at a property that has none: `@Transient`, computed, static or lazy.
    case optionWithoutColumn
    /// `satisfies:` with anything but a key path of one property of a protocol.
    case satisfiesIsNoRequirement
    /// A requirement that two stored properties stand for.
    case requirementTwice(String)
    /// `.flattened` beside an option that is about one field, or at a `let` with a value.
    case flattenedWithOption
    /// `.flattened` at a type that is written as a collection or as `any P`.
    case flattenedIsNoModel
    /// `.flattened` at a property of a class that a context keeps.
    case flattenedInClass
    /// `prefix:` without `.flattened`.
    case prefixWithoutFlattened
    /// `flattenable:` with anything but `true` or `false`.
    case flattenableIsNoLiteral
    /// `flattenable: true` at a class, or at an enum that is one value.
    case flattenableDeclaration
    /// `flattenable: true` beside `version:`, `readsNewer:` or `unknownFields: .preserve`.
    case flattenableOption(String)
    /// `flattenable: true` at a model with a path of names: `@Attribute(name: "a.b")`.
    case flattenablePath
    /// `flattenable: true` at an enum with a case that has not exactly one value without a label.
    case flattenableCase
    /// A name of a table that is no literal: `table: name`.
    case tableIsNoLiteral
    /// A name of a table that is the empty string.
    case emptyTable
    /// A name of a table at an enum, which has none.
    case tableOfEnum
    /// `#Index` or `#Unique` that is not directly in the body of a model.
    case indexOutsideModel
    /// `#Index` or `#Unique` inside of an `#if` that a macro cannot evaluate.
    case conditionalIndex
    /// `#Index<Other>` in the body of another model, or `#Index<Self>`.
    case indexOfOtherType(String)
    /// `#Index` or `#Unique` without a list, or with one that is empty.
    case emptyIndex
    /// An argument of `#Index` or `#Unique` that is not written as a list.
    case indexIsNoList
    /// An element of such a list that is no key path of one property: `\.address.city`.
    case indexPathIsNoProperty
    /// A property in such a list that has no column.
    case indexWithoutColumn(String)
    /// A property that such a list has twice.
    case repeatedIndexProperty(String)
    /// A list of `#Index` or `#Unique` that the model has twice.
    case repeatedIndex
    /// `@Fallback` in an enum without a raw type, at a case that keeps no string.
    case fallbackWithoutRawType
    /// `@Fallback` at a case that keeps a string, beside cases that hold values.
    case fallbackBesideValues
    /// `@Fallback` at more than one case.
    case severalFallbacks
    /// A name that is no literal: `name: oldName`, or one with an interpolation.
    case nameIsNoLiteral
    /// An expression for `omits:` that is none of the kinds of values.
    case unknownOmission
    /// An expression for `naming:` that is no rule.
    case unknownNaming
    /// A version that is no literal of a whole number from 1 on.
    case unknownVersion
    /// A version of an enum with a raw type, which has no object to hold it.
    case versionOfRawEnum
    /// A field named `$version` in a model with a version.
    case versionField
    /// `readsNewer:` with anything but `true` or `false`.
    case readsNewerIsNoLiteral
    /// `writesTypeKey:` with anything but `true` or `false`.
    case typeKeyIsNoLiteral
    /// `writesTypeKey:` at a declaration that is no struct, or names no protocol after its colon.
    case typeKeyWithoutProtocol
    /// `keepsTypeName:` with anything but `true` or `false`.
    case keptNameIsNoLiteral
    /// `keepsTypeName:` without aliases, or without `unknownFields: .preserve`.
    case keptNameWithoutPlace
    /// `managed:` with anything but `true` or `false`.
    case managedIsNoLiteral
    /// `deletion:` with anything but `.remove` or `.mark`.
    case unknownDeletion
    /// `deletion: .mark` at a class in the table of another one.
    case markedSubclass
    /// `deletion: .mark` at an enum, which has no table.
    case markedEnum
    /// `shardedBy:` with anything but a key path of one property.
    case shardIsNoProperty
    /// `shardedBy:` with the name of what is no stored property.
    case unknownShard(String)
    /// `shardedBy:` a property that may be nil.
    case optionalShard
    /// `shardedBy:` without a property beside it that tells the rows of a shard apart.
    case shardWithoutKey
    /// `shardedBy:` at a class whose instances a context keeps.
    case shardedClass
    /// `shardedBy:` at an enum, which has no table.
    case shardedEnum
    /// Properties that are unique without the one that rows are distributed by.
    case uniqueAcrossShards(String, String)
    /// A transient property without a default, which reading could not set: `@Transient var x:
    /// Int`.
    case transientWithoutDefault
    /// `@ModelProtocol` at something that is no protocol.
    case notAProtocol
    /// A protocol with the name of a type that its coding, or its wrapper, has inside: `Value`.
    case nameOfCoding(String)
    /// A tag, a type key or an alias of it that is the empty string.
    case emptyName
    /// A name that a list has twice, or an alias that is the name itself.
    case sameName(String)
    /// Adjacent tagging with one name for both: `.adjacent(tag: "t", content: "t")`.
    case tagIsContent(String)
    /// An expression for `tagging:` that is no form of tagging.
    case unknownTagging
    /// `typeName:` at a protocol that says no type key of its own.
    case levelWithoutKey
    /// `typeName:` at a protocol that refines no other one.
    case levelWithoutParent
    /// `typeName:` or `default:` with adjacent or external tagging.
    case optionOfInternalTagging
    /// An expression for `tagging:` of an enum that is no form of it.
    case unknownCaseTagging
    /// `tagging: .untagged` at anything but an enum whose cases hold values.
    case untaggedWithoutCases
    /// More cases or conformers than a union without tags may have.
    case tooManyUntagged
    /// A version of an enum without tags, which may be no object.
    case versionOfUntagged
    /// A function that has the name and the labels of a step between versions, and another form.
    case stepOfOtherForm(String, String)
    /// `tagging: .untagged` at a protocol without `conformers:`.
    case untaggedWithoutList
    /// An expression for `tagKind:` that is no kind of tag.
    case unknownTagKind
    /// `typeKey:` with adjacent or external tagging, or `aliases:` with external tagging.
    case typeKeyBesideTagging
    /// `wrapper:` with anything but `true` or `false`.
    case wrapperIsNoLiteral
    /// `unknownFields:` at an enum, which has no property that could keep them.
    case unknownFieldsOfEnum
    /// An expression for `unknown:` or `unknownFields:` that is no policy.
    case unknownPolicy
    /// An expression for `payload:` that is no form of it.
    case unknownPayload
    /// `payload:` at anything but an enum whose cases hold values.
    case payloadWithoutCases
    /// A list of names that is not written out: `aliases: names`.
    case namesAreNoList
}

/// The problems of one declaration, collected so that one build shows all of them.
public struct Problems {
    /// What was found, in the order of the source.
    public private(set) var diagnostics: [Diagnostic] = []

    /// Whether there are none.
    public var isEmpty: Bool { diagnostics.isEmpty }

    /// No problems yet.
    public init() {}

    /// Adds a problem at a place of the source, after those that begin before it.
    ///
    /// - Complexity: linear in the problems so far.
    public mutating func add(_ problem: Problem, at node: some SyntaxProtocol) {
        let diagnostic = Diagnostic(node: Syntax(node), message: problem)
        let place = diagnostics.firstIndex { $0.position > diagnostic.position }
        diagnostics.insert(diagnostic, at: place ?? diagnostics.endIndex)
    }
}
