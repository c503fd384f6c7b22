public import DovetailModel

// What a value without a key cannot do, said in words: the compiler would name the protocol of objects.

extension ModelContext {
    /// A value needs a key to be stored: it has to be `Identifiable`.
    @available(
        *,
        unavailable,
        message: "a stored value has a key: declare it as ': Identifiable', or make it a class"
    )
    public func insert<Value: Model>(_ value: Value) {}

    /// A value needs a key to be stored: it has to be `Identifiable`.
    @available(
        *,
        unavailable,
        message: "a stored value has a key: declare it as ': Identifiable', or make it a class"
    )
    public func insert<Value: Model>(contentsOf values: some Sequence<Value>) {}

    /// A value needs a key to be stored: it has to be `Identifiable`.
    @available(
        *,
        unavailable,
        message: "a stored value has a key: declare it as ': Identifiable', or make it a class"
    )
    public func delete<Value: Model>(_ value: Value) {}
}
