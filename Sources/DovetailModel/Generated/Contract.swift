// The contract between the macros and this library.
//
// What stands in this folder is called by generated code and by nobody else. A macro writes it as a
// careful person would by hand; `Tests/Packages/Expanded.txt` shows every form. Names begin with an
// underscore where they are functions of their own; members of the reader and the writer have none.
//
// A struct is read like this:
//
// 1. `reader.beginObject()`, or `reader.beginObject(version:readsNewer:of:)` for a model above
//    version 1, enters the object.
// 2. A slot for each property: an optional variable, or the property's default (Slots.swift).
// 3. `reader.nextKey(in:expecting:)` moves to the value of the next field and gives its name as an
//    integer, over which a `switch` goes. The names are given in their order (`ExpectedNames`), which
//    most documents have. `key.matches(_:)` compares names that the integer does not tell apart.
// 4. `reader.read(_:_:)` fills a slot, once (ModelReader+Field.swift); `by:` names the coding of a
//    type that is no `ModelValue`: `any P`, containers of it, transforms (Codings.swift).
// 5. `reader.enterField(_:_:)` enters an object around attributes, `reader.skipField(_:in:)`,
//    `keepField` and `refuseField` are the three policies for a field that is not declared.
// 6. `_isPresent`, `_present` and `_filled` check and empty the slots; `reader.missingField(_:in:)` is
//    the error. The memberwise initializer takes what was in them.
// 7. `_didDecode` calls the hook, where there is one (Hooks.swift).
//
// It is written like this: `_willEncode`, `writer.pendingTag(of:)` where unknown fields are kept,
// `writer.beginObject()`, `writer.field(_:_:)` for each property (ModelWriter+Field.swift),
// `beginObjectField` and `endObjectField` around attributes, `writer.endObject(_:)`. Every field and
// element is followed by a comma, over which the closing bracket is written.
//
// Other declarations: an enum with values is an object with one field (ModelReader+Case.swift); a
// raw enum reads its raw value, or the name of the case as a key (`readCaseName`); constants are
// compared (ModelReader+Constant.swift). A model protocol gets a coding type, an overload of
// `_dovetailCoding`, and `_boxed(from:)` on every conformer; compositions and parents are resolved by
// overloads (ProtocolCodings.swift).
//
// Invariants that generated code upholds, and the library relies on:
//
// - A slot is emptied once, after `_isPresent` or the check for nil.
// - The codes in a `switch` are those that `FieldCode.code(of:)` computes, as `FieldKey` does.
// - `ExpectedNames` gets what `FieldCode.expected(_:)` writes, with room for a load of eight bytes.
// - A key is looked at before the value after it is read.
// - Fields are written in the order of `modelAttributes`, one call each, so that rows are filled by
//   position.
