import DovetailModel
public import DovetailStore

extension PersistentModel {
    /// The value of a property, as reading it gives it.
    ///
    /// ```swift
    /// box.getValue(forKey: \.title)       // box.title
    /// ```
    ///
    /// - Complexity: that of reading the property.
    public func getValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value {
        self[keyPath: keyPath]
    }

    /// Sets a property, as an assignment does.
    ///
    /// ```swift
    /// box.setValue(forKey: \.title, to: "tools")
    /// ```
    ///
    /// A property that cannot be set from where the key path is written stays as it is, and the next
    /// fetch or save of the context throws ``StoreError`` of kind `invalidObject`.
    ///
    /// - Complexity: that of setting the property.
    public func setValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        guard let keyPath = keyPath as? ReferenceWritableKeyPath<Self, Value> else {
            let registry = persistentBacking.context?.registry
            registry?.problem = registry?.problem ?? ObjectError.notSettable(keyPath, of: self)
            return
        }
        self[keyPath: keyPath] = newValue
    }

    /// The stored properties of the class: its attributes, then its relationships.
    ///
    /// ```swift
    /// Box.schemaMetadata.map(\.name)      // ["title", "weight", "items", "owner"]
    /// ```
    ///
    /// Relationships know their inverses where one of both sides names it; the schema of a container
    /// knows the others, too.
    ///
    /// - Complexity: linear in the number of properties. It is made at each call.
    public static var schemaMetadata: [Schema.PropertyMetadata] {
        Schema.PropertyMetadata.all(of: Self.self)
    }
}
