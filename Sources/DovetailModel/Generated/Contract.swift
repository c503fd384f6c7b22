// The contract between the macros and this library.
//
// This folder is what generated code calls. The library itself uses only the writer's `field`
// functions, which hand-written models may call as well. A macro writes what a careful person would
// write by hand; `Tests/Packages/Expanded.txt` shows every form. Free functions begin with an
// underscore; members of the reader and the writer do not.
//
// Generated code also calls the public primitives of the engine: `beginObject` and `nextKey`
// (ModelReader+Object.swift, ModelWriter+Object.swift), the errors (ModelReader+Errors.swift),
// names of cases (CaseName.swift); and of the features versions (ModelReader+Version.swift) and
// unknown fields (UnknownFields.swift).
//
// A struct is read like this:
//
// 1. `reader.beginObject()`, or `reader.beginObject(version:readsNewer:of:)` for a model above
//   version 1, enters the object.
// 2. Each property has a slot: an optional variable, nil until its field is read (Slots.swift).
// 3. `reader.nextKey(in:expecting:)` moves to the value of the next field and gives its name as a
//   key, and a `switch` goes over the key's integer. `ExpectedNames` has the names in the order of
//   declaration, which is that of most documents. `key.matches(_:)` compares names that the integer
//   does not tell apart.
// 4. `reader.read(_:_:)` fills a slot, once (ModelReader+Field.swift); `by:` names the coding of a
//   type that is no `ModelValue`: `any P`, containers of it, transforms (Codings.swift).
// 5. `reader.readRelationship(_:_:)` fills the slot of a property that holds other objects, which
//   overload resolution tells (Relationships.swift). `reader.leavesOutObjects` says where it may stay
//   empty. `reader.enterField(_:_:)` enters an object around attributes. `reader.skipField(_:in:)`,
//   `keepField` and `refuseField` are the three policies for a field that is not declared.
// 6. `_isPresent` checks the slots, or a pattern does; `reader.missingField(path:in:)` is the
//   error. `_moved`, `_filled` and `_present` empty the slots into the memberwise initializer; an
//   empty slot of a property with a default gets the default.
// 7. `_didDecode` calls the hook, if the type has one (Hooks.swift).
//
// It is written like this: `_willEncode`, `writer.pendingTag(of:)` where unknown fields are kept,
// `writer.beginObject()`, `writer.field(_:_:)` for each property (ModelWriter+Field.swift),
// `beginObjectField` and `endObjectField` around attributes, `writer.endObject(_:)`. Every field
// and element is followed by a comma, over which the closing bracket is written.
//
// Other declarations: an enum with values is an object with one field (ModelReader+Case.swift); a
// raw enum reads its raw value, or the name of the case as a key (`readCaseName`); constants are
// compared (ModelReader+Constant.swift). A model protocol gets a coding type, a member
// `_dovetailCoding` that names it, and `_boxed(from:)` on every conformer; compositions and parents are
// resolved by overloads (ProtocolCodings.swift).
//
// A model that can be flattened has its slots in a type, `FieldSlots`, whose `read` takes a field or
// leaves it to somebody else; the model is read alone by the same slots. A model around it has such slots
// as one of its variables, asks them in the `default:` of its `switch`, and takes the value by `finish`.
// The slots of an enum pass over null, as if the field were absent, unless the case takes it
// (`reader.skipsNull(besides:)`).
// `FlattenedNames` has the names of all fields (Features/Flattened, Flattening.swift).
//
// `modelAttributes` describes the columns; `_nullifying` is the trait of a reference whose type may
// hide an optional (References.swift). A model protocol lists its requirements as key paths
// (`ModelRequirements`), by which predicates over `any P` find columns.
//
// Invariants that generated code upholds, and the library relies on:
//
// - A slot is emptied once. `_filled(moving:)` and `_present(moving:)`, which do not check, are
//   called after `_isPresent` or the check for nil.
// - The codes in a `switch` are those that `FieldCode.code(of:)` computes, as `FieldKey` does.
// - `ExpectedNames` gets what `FieldCode.expected(_:)` writes, with room for a load of eight bytes.
// - A key is not used after its value is read: the value may overwrite the name's bytes.
// - An object or array is read until `nextKey` or `nextElement` says that it ends.
// - Fields are written in the order of `modelAttributes`, one call each, so that rows are filled by
//   position.
