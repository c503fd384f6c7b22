public import SwiftDiagnostics

extension Problem {
    /// The text of the error: what is wrong and, after a semicolon, what to write instead.
    public var message: String {
        switch self {
        case .unsupportedDeclaration:
            "@Model works on structs, enums and final classes; put the attribute on one of these"
        case .localModel:
            "a model cannot be local to a function; move the declaration to a type or to the file"
        case .conditionalProperty(let name):
            "a macro is not told whether '\(name)' is compiled, as it cannot evaluate canImport; use "
                + "another condition such as os(Linux), move it out of #if, or give it a default "
                + "value and mark it @Transient"
        case .isolatedModel:
            "a model is read and written on any thread, so it cannot belong to the main actor; "
                + "remove @MainActor here, and add it to the members that need it"
        case .openClass:
            "a subclass would be written and read as its parent, so a class that no context keeps has "
                + "to be final; write 'final class', and a model protocol for what classes have in "
                + "common"
        case .unmanagedSubclass:
            "the superclass is a managed model, so a context keeps the objects of this class, too; "
                + "remove 'managed: false' or the type parameters"
        case .optionOfSubclass(let option):
            "all classes of a hierarchy are in one table and have one key, so \(option) belongs to "
                + "the class at the top; move it there"
        case .optionInHierarchy(let option):
            "\(option) is for classes without subclasses and superclasses with @Model; write 'final "
                + "class', or leave it out"
        case .inheritedInitializers(let kind):
            "\(kind) inherits no initializers, as the macro has to write one that reads its own "
                + "properties; write those that it is to have, with 'super.init'"
        case .privateNestedModel:
            "a private type inside of another one is out of reach for the extension that the macro "
                + "writes; make it fileprivate"
        case .enumWithoutCases:
            "an enum without cases has no value that could be written; give it a case, or leave "
                + "@Model out"
        case .conditionalCase:
            "a macro is not told whether this case is compiled, as it cannot evaluate canImport; use "
                + "another condition such as os(Linux), move it out of #if, or give the enum a raw "
                + "type"
        case .conditionalAttribute:
            "a macro is not told whether this attribute is compiled, as it cannot evaluate canImport; "
                + "use another condition such as os(Linux), or move it out of #if"
        case .severalNamedCases:
            "a name in documents belongs to one case; write a line with `case` for each of them"
        case .nestedCase(let name):
            "the name of a case is one field, but \"\(name)\" is a path; write a dot that belongs to "
                + "the name as `\\.`"
        case .optionOfCase:
            "a case has a name and aliases in documents and no options; write them as in "
                + "@Attribute(name: \"old\"), and put options on properties"
        case .namedRawCase:
            "a case of an enum with a raw type is written as its raw value; remove the attribute and "
                + "write the name as the raw value, as in `case open = \"OPEN\"`"
        case .repeatedCaseName(let name):
            "two cases or values of a case are named \"\(name)\" in documents; rename one of them"
        case .untypedProperty(let name):
            "the type of '\(name)' has to be written, as in `var \(name): Type`; a macro cannot "
                + "infer it from this default value"
        case .tupleProperty:
            "a stored property of a model needs a name of its own; write one property a name"
        case .severalProperties:
            "each property of a class that a context keeps has accessors of its own, which a macro can give "
                + "to one alone; write a 'var' for each"
        case .repeatedName(let name):
            "two attributes are named \"\(name)\" in documents; give one of them another name "
                + "with @Attribute(name:)"
        case .valueAndObject(let name):
            "\"\(name)\" is a value for one attribute and an object around another; give one of "
                + "them another name, or write a dot that belongs to the name as `\\.`"
        case .repeatedAlias(let name):
            "the alias \"\(name)\" is a name in this model already; remove one of the two"
        case .emptyNameInPath(let path):
            "the path \"\(path)\" has an empty name beside a dot; write a dot that belongs to the "
                + "name as `\\.`"
        case .aliasesAreNoLiteral:
            "aliases have to be string literals in brackets, as in `aliases: [\"old\"]`"
        case .optionIsNoLiteral:
            "an option of @Attribute has to be written out, as in `.transient`; a macro cannot "
                + "see the value of an expression"
        case .twoTransforms:
            "a property has one transform at most; write one that does the work of both"
        case .transformerIsNoType:
            "a macro cannot see the value of an expression; write the type of the transformer, as in "
                + ".transformable(by: ColorTransformer.self)"
        case .transformWithoutElements:
            "elementsBy: transforms what an array, set or dictionary holds; write the type as one "
                + "of these, or use by:"
        case .skipWithoutElements:
            "unknown: .skip leaves out what an array, set or dictionary holds; write the type as one "
                + "of these, or use .throw or .preserve"
        case .optionalOmittedWhenEmpty:
            "an empty value that is left out would come back as nil; make the property no "
                + "optional, or remove .omittedWhenEmpty"
        case .nullWithoutOptional:
            ".nullWhenNil is for optionals, as no other value is nil; write the type with a "
                + "question mark, or remove the option"
        case .nullIsAValue:
            "null is a value of this type, and nil an absent field; remove .nullWhenNil, or one "
                + "question mark"
        case .defaultBesideNull:
            "nil is an absent field of this type, which would come back as the default; remove the "
                + "default, or one question mark"
        case .constantWithoutValue:
            ".constant asks documents for the value of a constant; write the property as "
                + "`let name: Type = value`, or remove .constant"
        case .constantThatDiffers(let value):
            "a let with a value is written and never read, and \(value) is another one each time; write "
                + "var, or @Transient if it is not to be written"
        case .constantKey:
            "a constant is not read from rows and documents, so it cannot be the primary key; write "
                + "`var`, or `let` without a value"
        case .generatedWithoutKey:
            "the database gives primary keys only; write @Attribute(.primaryKey, .generated), or "
                + "remove .generated"
        case .generatedKeyIsNoInteger:
            "a generated key is a whole number that is nil until the row is stored; write the type "
                + "as Int64? or Int?, without a transform, or remove .generated"
        case .generatedInCompositeKey:
            "the database gives no part of a key of several properties; remove .generated, or "
                + ".primaryKey at the others, and make them unique with #Unique"
        case .twoReferences:
            "a property refers to one model; give the other reference a property of its own"
        case .referenceIsNoType:
            "a macro cannot see the value of an expression; write the model as in "
                + ".references(Team.self)"
        case .deleteRuleIsNoLiteral:
            "deleteRule: takes "
                + TableOptions.deleteRules.map { ".\($0)" }.joined(separator: ", ")
        case .referenceOfCollection:
            "a column holds one key, so a collection cannot refer to rows; write a property of one "
                + "key in the other model, or a model that holds two keys"
        case .nullifyWithoutOptional:
            "a reference that becomes nil needs an optional property; write the type with a "
                + "question mark, or another delete rule"
        case .optionWithoutColumn:
            "a property that is transient, computed, static or lazy has no column; remove the "
                + "option, or make it a stored property of the model"
        case .satisfiesIsNoRequirement:
            "satisfies: names a property that a protocol requires; write it with the protocol, as in "
                + "satisfies: \\(any Boxed).boxID"
        case .requirementTwice(let name):
            "another stored property stands for the requirement '\(name)' already, by its name or by "
                + "satisfies:; remove one of the two"
        case .flattenedWithOption:
            "a flattened property is no field of its own, so options for one do not apply to it; "
                + "write them in the model that is flattened, and the property as a `var` or as a "
                + "`let` without a value"
        case .flattenedIsNoModel:
            "only the fields of a model can be flattened; write a struct or an enum with "
                + "@Model(flattenable: true), or an optional of one"
        case .flattenedInClass:
            "the columns of a class that a context keeps are its own properties; remove .flattened, "
                + "or make the class a struct"
        case .prefixWithoutFlattened:
            "prefix: is for the fields of a flattened model; add .flattened, or write name:"
        case .flattenableIsNoLiteral:
            "flattenable: takes true or false; a macro cannot see the value of an expression"
        case .flattenableDeclaration:
            "a struct or an enum whose cases have values can be flattened; remove flattenable:, or "
                + "hold this one in a struct that has it"
        case .flattenableOption(let option):
            "a model that is flattened in another one has no \(option) of its own; say it in the "
                + "model around it, and remove it here"
        case .flattenablePath:
            "an object around attributes cannot be flattened, as the model around it may have the "
                + "same; write a name without a dot, and the object as a model of its own"
        case .flattenableCase:
            "each case of an enum that can be flattened is one field, so it has one value; write "
                + "cases as in `case string(String)`, without a label, a default and an optional"
        case .tableIsNoLiteral:
            "the name of a table has to be a string literal without interpolation"
        case .emptyTable:
            "the name of a table cannot be empty; write at least one character, or remove table:"
        case .tableOfEnum:
            "an enum has no table, as it is a value in a column of others; remove table:, or hold "
                + "the enum in a struct that has it"
        case .indexOutsideModel:
            "#Index and #Unique are read by @Model; move them into the body of the struct or class "
                + "that has it, outside of its extensions"
        case .conditionalIndex:
            "a macro is not told whether this index is compiled, as it cannot evaluate canImport; "
                + "use another condition such as os(Linux), or move it out of #if"
        case .indexOfOtherType(let model):
            "an index belongs to the model around it; write its name in brackets, as in "
                + "#Index<\(model)>"
        case .emptyIndex:
            "an index has at least one property; write a list of key paths, as in "
                + "[\\.city, \\.name]"
        case .indexIsNoList:
            "a macro cannot see the value of an expression; write a list of key paths in brackets, "
                + "as in [\\.city, \\.name]"
        case .indexPathIsNoProperty:
            "an index is over columns, and each is one property; write key paths as in \\.city, and "
                + "make what is inside of a value a property of the model"
        case .indexWithoutColumn(let name):
            "'\(name)' has no column; write a stored property that is declared in this body and "
                + "not transient"
        case .repeatedIndexProperty(let name):
            "'\(name)' is in this list already; remove one of the two"
        case .repeatedIndex:
            "the model has this list already; remove one of the two"
        case .fallbackWithoutRawType:
            "@Fallback stands for unknown raw values, so the enum needs a raw type, as in "
                + "`: String`, or the case a string to keep, as in `case other(String)`"
        case .fallbackBesideValues:
            "a case with @Fallback and a string makes strings of all cases, so no other case can "
                + "hold values; remove the values or @Fallback"
        case .severalFallbacks:
            "an enum has one case for unknown raw values; write @Fallback on a case of its own, "
                + "once"
        case .nameIsNoLiteral:
            "a name in documents has to be a string literal without interpolation"
        case .unknownNaming:
            "naming: and typeNaming: take \(NamingRule.allCases.map { ".\($0.rawValue)" }.joined(separator: ", "))"
        case .unknownOmission: "omits: takes .nils, .empty, .nothing"
        case .unknownVersion:
            "version: takes a whole number from 1 on, written as a literal"
        case .versionOfRawEnum:
            "an enum with a raw type is written as one value, with no object that could hold a "
                + "version; remove version:, and give the model around it one"
        case .versionField:
            "the field \"$version\" holds the version of the model; give what is declared under "
                + "this name another one with @Attribute(name:)"
        case .readsNewerIsNoLiteral:
            "readsNewer: takes true or false; a macro cannot see the value of an expression"
        case .unknownDeletion:
            "deletion: takes .remove or .mark; a macro cannot see the value of an expression"
        case .markedSubclass:
            "the rows of a subclass are in the table of the class at the top, which says what becomes of "
                + "all of them; write 'deletion: .mark' there"
        case .markedEnum:
            "an enum has no table of its own, so no row of it is deleted; remove 'deletion: .mark'"
        case .shardIsNoProperty:
            "shardedBy: takes one property, as in shardedBy: \\.tenant; a macro cannot see the value "
                + "of an expression"
        case .unknownShard(let name):
            "no stored property of the model is called '\(name)'; name the one that rows are "
                + "distributed by"
        case .optionalShard:
            "a row without a value would be on no server; write the type without a question mark"
        case .shardWithoutKey:
            "the key of a row is its shard and what tells the rows of a shard apart; mark that "
                + "property with @Attribute(.primaryKey), and give it another name than id"
        case .shardedClass:
            "an object has a key of one column, which does not say where its row is; make the model "
                + "a struct, or write 'managed: false'"
        case .shardedEnum:
            "an enum has no table of its own whose rows could be distributed; remove 'shardedBy:'"
        case .uniqueAcrossShards(let names, let shard):
            "no server sees all rows, so only what names '\(shard)' is unique; write "
                + "#Unique([\\.\(shard), …]) for \(names)"
        case .typeKeyIsNoLiteral:
            "writesTypeKey: takes true or false; a macro cannot see the value of an expression"
        case .typeKeyWithoutProtocol:
            "the type key is that of a model protocol, which the macro has to see; write it after the "
                + "name of the struct, as in `struct Circle: Shape`, or remove writesTypeKey:"
        case .keptNameIsNoLiteral:
            "keepsTypeName: takes true or false; a macro cannot see the value of an expression"
        case .keptNameWithoutPlace:
            "the name that a document gives is one of aliases: and kept among the fields that are not "
                + "declared; write aliases: and unknownFields: .preserve, or remove keepsTypeName:"
        case .managedIsNoLiteral:
            "managed: takes true or false; a macro cannot see the value of an expression"
        case .transientWithoutDefault:
            "a transient property is not read from documents, so it needs a default value"
        case .notAProtocol:
            "@ModelProtocol belongs on a protocol; use @Model for a struct or an enum"
        case .nameOfCoding(let name):
            "generated code has a type named \(name) where it has to name this protocol; give the "
                + "protocol another name"
        case .emptyName:
            "a name in documents cannot be empty; write at least one character"
        case .sameName(let name):
            "\"\(name)\" is named twice; remove one of them"
        case .tagIsContent(let name):
            "the tag and the content are both named \"\(name)\"; give one of them another name"
        case .unknownTagging:
            "tagging: takes .internal, .adjacent(tag: \"…\", content: \"…\"), .external, .untagged"
        case .unknownCaseTagging: "tagging: of an enum takes .external, .untagged"
        case .untaggedWithoutCases:
            "cases without tags are told apart by their values, and no case here holds one; remove "
                + "tagging:"
        case .stepOfOtherForm(let name, let label):
            "nobody calls this function: a step between versions is "
                + "'static func \(name)(_ document: inout ModelDocument, \(label) version: Int) throws'"
        case .tooManyUntagged:
            "a union without tags has at most \(ModelDeclaration.mostUntagged) cases, as they are tried "
                + "one after the other; nest it in another one"
        case .versionOfUntagged:
            "an enum without tags may be a value that is no object, so nothing could hold a version; "
                + "remove version:, and give the models in its cases one"
        case .untaggedWithoutList:
            "without tags conformers are tried in an order, which only a list says; write "
                + "conformers: A.self, B.self"
        case .levelWithoutKey:
            "a protocol with a name is told by the key above, so its conformers need a key of their "
                + "own; write typeKey:, or remove typeName:"
        case .levelWithoutParent:
            "the name is that of a conformer of another model protocol; refine one, as in `protocol "
                + "Block: Object`, or remove typeName:"
        case .optionOfInternalTagging:
            "this is for type keys inside of the object; use .internal tagging, or remove it"
        case .unknownTagKind:
            "tagKind: takes .string, .integer, .boolean, .stringOrList, .scalar"
        case .typeKeyBesideTagging:
            "this tagging has no type key; use .internal, or remove the type key (the first name "
                + "of .adjacent(tag:content:) is the key there)"
        case .wrapperIsNoLiteral:
            "wrapper: takes true or false; a macro cannot see the value of an expression"
        case .unknownPolicy:
            "unknown: and unknownFields: take .throw, .skip, .preserve"
        case .unknownFieldsOfEnum:
            "an enum has no place for fields that it does not declare; remove unknownFields:, or "
                + "hold the enum in a struct that has it"
        case .unknownPayload: "payload: takes .fields, .bare"
        case .payloadWithoutCases:
            "payload: says how the values of cases are written, and no case here holds one; remove "
                + "it"
        case .namesAreNoList:
            "names in documents have to be written as a list of string literals, as in [\"a\", \"b\"]"
        }
    }

    /// The problem's name in the compiler's diagnostics: that of the case, without its value.
    public var diagnosticID: MessageID {
        MessageID(domain: "Dovetail", id: String("\(self)".prefix { $0 != "(" }))
    }

    /// Always an error: a model that is not as it was meant would lose data in silence.
    public var severity: DiagnosticSeverity { .error }
}
