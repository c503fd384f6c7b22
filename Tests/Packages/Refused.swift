// Read by refused.sh: the text after `// error:` has to be in an error of its line.
// swift-format-ignore-file

import Dovetail

@ModelProtocol
protocol Asset {}

@ModelProtocol(conformers: Box<Int>.self)
protocol Listed {}

@ModelProtocol
protocol Insured {}

@Model struct Box<Value: ModelValue> { var value: Value }
@Model final class Shelf<Value: ModelValue> { var value: Value? }
@Model enum Pick<Value: ModelValue> { case value(Value) }
struct Around<Value> { @Model struct Inside { var x = 1 } }

@Model struct Plain: Asset { var x = 1 }
extension Box: Listed {}

// Generic types, at their declaration and in extensions.
@Model struct Here<Value: ModelValue>: Asset { var value: Value }  // error: '_hasNoParameters()' was used to satisfy a requirement of protocol 'Asset': a generic type cannot conform to a model protocol, as documents name a type and not its parameters; conform with a type of its own that holds the generic one, or list the conformers: @ModelProtocol(conformers:)
extension Box: Asset {}  // error: a generic type cannot conform to a model protocol, as documents
extension Shelf: Asset {}  // error: a generic type cannot conform to a model protocol, as documents
extension Pick: Asset {}  // error: a generic type cannot conform to a model protocol, as documents
extension Around.Inside: Asset {}  // error: a generic type cannot conform to a model protocol, as

// Types that are no models.
struct NoModel {}
extension NoModel: Asset {}  // error: type 'NoModel' does not conform to protocol 'Asset'

protocol NoProtocol {}
@Model struct Holder { var value: any NoProtocol }  // error: none of the protocols is a model type; put @ModelProtocol on one of them

// Nothing says which of two type keys a document should have.
func compositions(_ both: any Asset & Insured) throws {
    _ = try both.encoded(as: .json)  // error: ambiguous use of 'encoded(as:)'
    _ = try [any Asset & Insured](decoding: Data(), as: .json)  // error: ambiguous use of '_dovetailCoding'
    _ = try (both as any Insured).encoded(as: .json)
    _ = try [any NoProtocol](decoding: Data(), as: .json)  // error: none of the protocols is a model type; put @ModelProtocol on one of them
}

// The values of raw enums have no hooks.
@Model enum Hooked: String, ModelLifecycle { case a, b }  // error: '_hasHooks()' was used to satisfy a requirement of protocol 'ModelLifecycle': the values of a raw enum are read and written without hooks; put willEncode() and didDecode() into a model that holds the enum
@Model enum Numbered: Int { case a, b }
extension Numbered: ModelLifecycle { mutating func didDecode() throws {} }  // error: the values of a raw enum are read and written without hooks
@Model enum Kept { case a; @Fallback case other(String) }
extension Kept: ModelLifecycle {}  // error: the values of a raw enum are read and written without hooks

// References to what is no model, and to one that cannot become nil; indexes that nobody reads.
@Model struct Team: Identifiable { var id: Int; var name: String }
@Model struct Member { @Attribute(.references(NoModel.self)) var x: Int }  // error: argument type 'NoModel' does not conform to expected type 'Model'
@Model struct Guest { @Attribute(.references(Team.self, deleteRule: .nullify)) var team: Team.ID }  // error: a reference that becomes nil needs an optional property; write the type with a question mark, or another delete rule
@Model struct Visitor { @Attribute(.references(Team.self, deleteRule: .nullify)) var team: Team.ID? }
extension Team { #Index<Team>([\.name]) }  // error: #Index and #Unique are read by @Model; move them into the body of the struct or class that has it, outside of its extensions
#Unique<Team>([\.name])  // error: #Index and #Unique are read by @Model
@Model enum Level { case low; #Index<Team>([\.name]) }  // error: #Index and #Unique are read by @Model
@Model struct Listing { #Index<Listing>([\.name.count]); var name: String }  // error: an index is over columns, and each is one property; write key paths as in \.city, and make
@Model struct Typo { #Index<Typo>([\.nam]); var name: String }  // error: 'nam' has no column; write a stored property
@Model struct Other { #Index<Team>([\.name]); var name: String }  // error: an index belongs to the model around it; write its name in brackets, as in #Index<Other>

// A problem that a macro reports itself, with all others of the declaration.
@Model struct Wrong {
    var list = []  // error: the type of 'list' has to be written
    @Transient var x: Int  // error: a transient property is not read from documents
    #if canImport(Foundation)
        var y = 1  // error: a macro is not told whether 'y' is compiled, as it cannot evaluate canImport
    #endif
}
