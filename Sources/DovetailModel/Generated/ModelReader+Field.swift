// What generated code calls for each field: one overload a kind of property, chosen by the compiler.
//
// They are specialized in the user's module once a type, but not inlined: that halves the code of
// an initializer, takes an eighth off the time of its compilation, and costs no time when it runs.

extension ModelReader {
    /// Reads a field into its slot.
    ///
    /// - Throws: ``ModelDecodingError`` when the slot is filled already, and for what the value is
    ///   not.
    @inlinable
    @inline(never)
    public mutating func read<Value: ModelValue>(
        _ slot: inout Value?,
        _ name: StaticString
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = .some(try Value(modelValue: &self))
    }

    /// Reads a field of a plain `Codable` type into its slot.
    @_disfavoredOverload
    public mutating func read<Value: Decodable>(
        _ slot: inout Value?,
        _ name: StaticString
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = .some(try readCodable(Value.self))
    }

    /// Reads a field through the coding that stands for its type.
    @inlinable
    @inline(never)
    public mutating func read<Coding: ModelCoding>(
        _ slot: inout Coding.Value?,
        _ name: StaticString,
        by coding: Coding.Type
    ) throws {
        if case .some = slot { throw repeatedField(name) }
        slot = .some(try coding.decode(from: &self))
    }

    /// Enters a field that holds an object around attributes of the model, for the first time.
    /// Called by generated code.
    ///
    /// - Returns: false for null, which is an object without fields.
    /// - Throws: ``ModelDecodingError`` the second time.
    @inlinable
    public mutating func enterField(_ wasSeen: inout Bool, _ name: StaticString) throws -> Bool {
        if wasSeen { throw repeatedField(name) }
        wasSeen = true
        return try !readNull()
    }
}

// What an absent field stands for that is left out when it is empty.

/// An empty collection. Called by generated code.
@inlinable
public func _empty<Value: RangeReplaceableCollection>() -> Value { Value() }

/// An empty set. Called by generated code.
@inlinable
public func _empty<Value: SetAlgebra>() -> Value { Value() }

/// An empty dictionary. Called by generated code.
@inlinable
public func _empty<Key, Value>() -> [Key: Value] { [:] }

// A required property whose type is a typealias may be an optional after all, which is absent like
// one that is written so.

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

/// Whether it is, for a field that turns out to be optional. Called by generated code.
@inlinable
@inline(__always)
public func _isPresent<Value>(_ slot: Value??) -> Bool { true }

// Slots are moved from, not consumed: the compiler warns of `consume` for types without references.

/// Takes what is in a slot. Called by generated code.
@inlinable
@inline(__always)
public func _moved<Value>(_ slot: inout Value?) -> Value? { slot.take() }

/// Takes the value of a slot that is filled. Called by generated code.
@inlinable
@inline(__always)
public func _filled<Value>(moving slot: inout Value?) -> Value {
    // Invariant: generated code has checked that the slot is filled.
    slot.take().unsafelyUnwrapped
}

/// Takes the value of the slot of a required field. Called by generated code.
@inlinable
@inline(__always)
public func _present<Value>(moving slot: inout Value?) -> Value {
    // Invariant: generated code has asked `_isPresent`.
    slot.take().unsafelyUnwrapped
}

/// Takes the value of the slot of a field that turns out to be optional. Called by generated code.
@inlinable
@inline(__always)
public func _present<Value>(moving slot: inout Value??) -> Value? { slot.take() ?? nil }
