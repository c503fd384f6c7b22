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

// A protocol inside of a type works, unless the extension cannot reach it, or there is none.
enum Space { @ModelProtocol fileprivate protocol Inner: Asset { var name: String { get } } }
@Model private struct Inside: Space.Inner { var name = ""; fileprivate var all: [any Space.Inner] = [] }
enum Hidden { @ModelProtocol private protocol Inner {} }  // error: a private type inside of another one is out of reach for the extension that the macro writes; make it fileprivate
enum Parameters<Value> { @ModelProtocol protocol Inner {} }  // error: protocol 'Inner' cannot be nested in a generic context
func local() { @ModelProtocol protocol Inner {} }  // error: local type cannot have attached extension macro

// Nothing says which of two type keys a document should have.
func compositions(_ both: any Asset & Insured) throws {
    _ = try both.encoded(as: .json)  // error: ambiguous use of 'encoded(as:)'
    _ = try [any Asset & Insured](decoding: Data(), as: .json)  // error: ambiguous use of '_dovetailCoding'
    _ = try (both as any Insured).encoded(as: .json)
    _ = try [any NoProtocol](decoding: Data(), as: .json)  // error: the element is no model: put @Model on its type, or @ModelProtocol on its protocol
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

// A class that a context keeps has its own properties as columns: one error, and none of the accessors.
@Model(flattenable: true) struct Shared { var x = 1; var y: String? }
@Model final class Sharing {
    var name = ""
    @Attribute(.flattened) var shared: Shared  // error: the columns of a class that a context keeps are its own properties; remove .flattened, or make the class a struct
    init(shared: Shared) { self.shared = shared }
}
@Model final class Pair { var width = 1, height = 2; var name = ""; init() {} }  // error: each property of a class that a context keeps has accessors of its own, which a macro can give to one alone; write a 'var' for each
@Model(managed: false) final class Unkept { var width = 1, height = 2; @Attribute(.flattened) var shared: Shared; init(shared: Shared) { self.shared = shared } }

// What no predicate can have, at the expression, with the remedy.
@freestanding(expression)
macro Predicate<Input>(_ body: (Input) throws -> Bool) -> Foundation.Predicate<Input> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")

struct Point: Codable { var x: Int; var name: String; var date: Date; var note: String?; var tags: [String] }
func isFine(_ point: Point) -> Bool { point.x > 1 }
func predicates(list: [Int], number: Int?, isOpen: @escaping (Point) -> Bool, isShort: (String) -> Bool, other: Foundation.Predicate<Point>) {
    _ = #Predicate<Point>(isOpen)  // error: write the condition as a closure
    _ = #Predicate<Point> { isFine($0) }  // error: a predicate cannot call 'isFine' with what it tests; call it before
    _ = #Predicate<Point> { abs($0.x) > 1 }  // error: a predicate cannot call 'abs' with what it tests; write x < 0 ? -x : x
    _ = #Predicate<Point> { max($0.x, 2) > 1 }  // error: write a < b ? a : b
    _ = #Predicate<Point> { $0.name.capitalized == "A" && $0.name.split(separator: "a").isEmpty }  // error: a predicate cannot call 'split' on what it tests; compute it before
    _ = #Predicate<Point> { $0.note.map { $0.isEmpty } ?? true }  // error: a predicate cannot call 'map' on what it tests; write flatMap for an optional
    _ = #Predicate<Point> { $0.x.isMultiple(of: 2) }  // error: write x % y == 0
    _ = #Predicate<Point> { Calendar.current.isDateInToday($0.date) }  // error: compute the start and the end of the day before
    _ = #Predicate<Point> { "\($0.x)" == "1" }  // error: a predicate cannot build text from what it tests
    _ = #Predicate<Point> { [$0.x, 1].contains(2) }  // error: a predicate cannot make a collection or a tuple of what it tests
    _ = #Predicate<Point> { $0.x & 1 == 0 }  // error: a predicate has no operator '&'; compute it before the predicate
    _ = #Predicate<Point> { ($0.x...).contains(2) }  // error: a predicate has no operator '...'; write both bounds of the range
    _ = #Predicate<Point> { $0.x == list.map { $0 / number! }.count }  // error: '$0 / number!' in this call may stop the program where the predicate is made
    _ = #Predicate<Point> { point in
        if point.x > 1 { return true }  // error: this 'if' needs an 'else'
        return false
    }
    _ = #Predicate<Point> { point in
        let x = point.x  // error: a predicate cannot declare anything; move the declaration before the predicate
        return x > 1
    }
    _ = #Predicate<Point> { point in
        guard let note = point.note else { return false }  // error: a predicate has no 'guard'; write one expression
        return note.isEmpty
    }
    _ = #Predicate<Point> { point in
        switch point.x {  // error: a predicate has no 'switch'; write '?:' or if/else
        case 1: true
        default: false
        }
    }
    _ = #Predicate<Point> { point in
        if case 1 = point.x { true } else { false }  // error: a condition of a predicate is an expression or 'if let
    }
    _ = #Predicate<Point> { point in
        return point.x > 1
        return false  // error: a predicate is one expression; join conditions with &&
    }
    _ = #Predicate<Point> { try $0.x > 2 && (#Predicate<Point> { $0.x > 1 }).evaluate($0) }  // error: the compiler expands no #Predicate inside of another one
    _ = #Predicate<Point> { (try? other.evaluate($0)) ?? false }  // error: write 'try' alone
    _ = #Predicate<Point> { $0.tags.contains(where: isShort) }  // error: a predicate has no value for a closure here
}
final class Holder2 { var text = ""
    func predicate() -> Foundation.Predicate<Point> {
        #Predicate { [weak self] in $0.name == self?.text }  // error: capture the value that the predicate needs
    }
}

// Values without a key, and objects.
@Model struct Keyless { var id: Int; var name = "" }
func store(_ keyless: Keyless, _ here: Here<Int>, in context: ModelContext) {
    context.insert(keyless)  // error: a stored value has a key: declare it as ': Identifiable', or make it a class
    context.insert(contentsOf: [keyless])  // error: a stored value has a key: declare it as ': Identifiable', or make it a class
    context.delete(keyless)  // error: a stored value has a key: declare it as ': Identifiable', or make it a class
}
