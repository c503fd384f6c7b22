// The value of an absent field with `@Attribute(.omittedWhenEmpty)`: the compiler picks the
// overload for the type.

/// An empty collection. Called by generated code.
@inlinable
public func _empty<Value: RangeReplaceableCollection>() -> Value { Value() }

/// An empty set. Called by generated code.
@inlinable
public func _empty<Value: SetAlgebra>() -> Value { Value() }

/// An empty dictionary. Called by generated code.
@inlinable
public func _empty<Key, Value>() -> [Key: Value] { [:] }

// Slots of required properties. A type that is a typealias may be an optional after all, which the
// macro cannot see; such a property may be absent like one that is written `T?`. The overloads for
// `Value??` find out.

/// The slot of a required field. Called by generated code.
@inlinable
@inline(__always)
public func _present<Value>(_ slot: Value?) -> Value? { slot }

/// The slot of a field that turns out to be optional: present in any case. Called by generated
/// code.
@inlinable
@inline(__always)
public func _present<Value>(_ slot: Value??) -> Value?? { .some(slot ?? nil) }

/// Whether the slot of a required field is filled. Called by generated code.
@inlinable
@inline(__always)
public func _isPresent<Value>(_ slot: Value?) -> Bool {
    if case .some = slot { true } else { false }
}

/// The same for a field that turns out to be optional, which need not be filled. Called by
/// generated code.
@inlinable
@inline(__always)
public func _isPresent<Value>(_ slot: Value??) -> Bool { true }

// Values are taken out of their slots, so that nothing is copied. Not by `consume`: the compiler
// warns of that for types without references.

// With names of their own, and not by `??`, whose overloads take the type checker longer.

/// Takes what is in a slot, or the default of a property that no field was read for. Called by generated
/// code.
@inlinable
@inline(__always)
public func _moved<Value>(
    _ slot: inout Value?,
    or defaultValue: @autoclosure () -> Value
) -> Value {
    slot.take() ?? defaultValue()
}

/// Takes what is in the slot of an optional property. Called by generated code.
@inlinable
@inline(__always)
public func _moved<Value>(orNil slot: inout Value??) -> Value? { slot.take() ?? nil }

/// Takes the value of a slot that is filled. Called by generated code.
@inlinable
@inline(__always)
public func _filled<Value>(moving slot: inout Value?) -> Value {
    // Invariant: generated code has checked that the slot is filled (Contract.swift, step 6).
    slot.take().unsafelyUnwrapped
}

/// Takes the value of the slot of a required field. Called by generated code.
@inlinable
@inline(__always)
public func _present<Value>(moving slot: inout Value?) -> Value {
    // Invariant: generated code has asked `_isPresent` (Contract.swift, step 6).
    slot.take().unsafelyUnwrapped
}

/// Takes the value of the slot of a field that turns out to be optional. Called by generated code.
@inlinable
@inline(__always)
public func _present<Value>(moving slot: inout Value??) -> Value? { slot.take() ?? nil }

// An object around attributes is kept for itself where none of them is written again.

/// Whether what was read into a slot is written as a field again. Called by generated code.
@inlinable
public func _isWritten<Value>(_ slot: Value?) -> Bool {
    if case .some = slot { true } else { false }
}

/// The same for an optional, which is left out when it is nil. Called by generated code.
@inlinable
public func _isWritten<Value>(_ slot: Value??) -> Bool {
    if case .some(.some) = slot { true } else { false }
}

/// The same for a value with a coding. Called by generated code.
@inlinable
public func _isWritten<Coding: ModelCoding>(_ slot: Coding.Value?, by coding: Coding.Type) -> Bool {
    slot.map { !coding.isAbsent($0) } ?? false
}

/// The same for a collection that is left out when it is empty. Called by generated code.
@inlinable
public func _isWritten<Value: Collection>(nonEmpty slot: Value?) -> Bool {
    slot.map { !$0.isEmpty } ?? false
}

/// Whether a field was read into a slot, also as nil. Called by generated code.
@inlinable
public func _isMet<Value>(_ slot: Value?) -> Bool {
    if case .some = slot { true } else { false }
}
