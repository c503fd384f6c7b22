/// Declares indexes of a model's table, each a list of key paths, the most significant first.
///
/// ```swift
/// @Model struct User: Identifiable {
///     #Index<User>([\.name], [\.city, \.age])
///
///     var id: Int
///     var name: String
///     var city: String
///     var age: Int
/// }
/// ```
///
/// ```sql
/// CREATE INDEX … ON "User" ("city", "age")
/// ```
///
/// A store finds and sorts rows with it instead of looking at all of them: those with a `name`,
/// with a `city`, or with a `city` and an `age`. Each index makes the file larger and writing
/// slower. The results are the same with and without.
///
/// It stands in the body of a struct or class with `@Model`, which reads it in the source and lists
/// it in ``Model/modelIndexes``. So each list is written out, and each key path is one stored
/// property of the declaration; anything else is an error at the key path. There may be several
/// `#Index` in one model.
///
/// - Parameter indexes: Lists of key paths in brackets.
@freestanding(declaration)
public macro Index<T>(_ indexes: [PartialKeyPath<T>]...) =
    #externalMacro(module: "DovetailMacros", type: "IndexMacro")

/// Declares groups of properties that no two rows may share: in each list of key paths, some
/// property has to differ.
///
/// ```swift
/// @Model struct User: Identifiable {
///     #Unique<User>([\.email], [\.city, \.name])
///
///     var id: Int
///     var email: String
///     var city: String
///     var name: String
/// }
/// ```
///
/// ```sql
/// CREATE UNIQUE INDEX … ON "User" ("city", "name")
/// ```
///
/// Saving a second row with the same values throws ``StoreError`` of the kind `uniqueViolation`. A
/// group with a nil is equal to no other one. Each group is also an index, with what that costs and
/// gives: see ``Index(_:)``, which also says where it is written. `[\.email]` alone means the same
/// as `@Attribute(.unique)` at the property.
///
/// - Parameter groups: Lists of key paths in brackets.
@freestanding(declaration)
public macro Unique<T>(_ groups: [PartialKeyPath<T>]...) =
    #externalMacro(module: "DovetailMacros", type: "IndexMacro")
