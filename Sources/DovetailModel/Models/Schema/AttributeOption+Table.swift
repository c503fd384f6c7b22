extension AttributeOption {
    /// No two rows have the same value. NULL is equal to no other one.
    ///
    /// ```swift
    /// @Attribute(.unique) var email: String
    /// // CREATE UNIQUE INDEX … ON "User" ("email")
    /// ```
    ///
    /// Saving a second row with a value throws ``StoreError`` of the kind `uniqueViolation`. The
    /// store keeps an index for it, so every write costs one more look-up, and finding a row by
    /// this value is fast. A primary key is unique already and needs no option; for several
    /// properties together there is ``Unique(_:)``.
    public static let unique = AttributeOption()

    /// The database gives the primary key when a row is inserted without one.
    ///
    /// ```swift
    /// @Attribute(.primaryKey, .generated) var id: Int64?
    /// // "id" INTEGER PRIMARY KEY AUTOINCREMENT, in SQLite
    /// ```
    ///
    /// The property is the only primary key, and an optional of `Int64` or `Int`: nil is a row
    /// without a key yet. In documents it is like any optional; an absent key is read as nil.
    public static let generated = AttributeOption()

    /// The value is the primary key of a row of another model, or of the same one: a foreign key.
    ///
    /// ```swift
    /// @Model struct Person: Identifiable {
    ///     var id: Int
    ///     @Attribute(.references(Team.self, deleteRule: .cascade)) var teamID: Team.ID
    ///     @Attribute(.references(Person.self, deleteRule: .nullify)) var managerID: Int?
    /// }
    /// // "teamID" INTEGER NOT NULL REFERENCES "Team" ("id") ON DELETE CASCADE
    /// //     DEFERRABLE INITIALLY DEFERRED
    /// ```
    ///
    /// A row that refers to none throws ``StoreError`` of the kind `foreignKeyViolation`. It is
    /// checked at the end of a save, so the order of the rows does not matter. An optional that is
    /// nil refers to nothing. The store keeps an index over the column, with which it finds the
    /// rows that refer to one.
    ///
    /// - Parameters:
    ///   - type: The model, as `Team.self`. The compiler refuses a type that is no model. Two
    ///     models may refer to each other.
    ///   - deleteRule: What becomes of the row when the other one is deleted, written out as a
    ///     member of ``DeleteRule``. `.nullify` needs an optional.
    public static func references(
        _ type: Any.Type,
        deleteRule: DeleteRule = .deny
    ) -> AttributeOption {
        AttributeOption()
    }
}
