public import DovetailModel

/// Says more about a property of a class that holds other objects. Without it, a property whose type
/// is a class with `@Model`, its optional or an array of it is a relationship, too.
///
/// ```swift
/// @Model final class Box {
///     @Relationship(deleteRule: .cascade, inverse: \Item.box) var items: [Item] = []
///     init() {}
/// }
/// @Model final class Item {
///     var box: Box?
///     init() {}
/// }
/// ```
///
/// Both sides change at once: `box.items.append(item)` sets `item.box`. The inverse is written on one
/// side, or on none where only one property fits.
///
/// A property whose type is `any P`, its optional or an array of it is a relationship with this alone; the
/// objects may be of all classes of the container that conform, and `P` is a model protocol of classes:
/// `@Relationship(inverse: \(any Employee).shop) var employees: [any Employee] = []`.
///
/// - Parameters:
///   - options: ``RelationshipOption``s, such as `.unique`.
///   - deleteRule: What becomes of the other objects when this one is deleted. With `.nullify` they
///     lose it, with `.cascade` they are deleted, with `.deny` the save throws ``StoreError`` while
///     there are some, with `.noAction` nothing happens.
///   - minimumModelCount: How few objects it may hold when its object is saved; 0 and nil for any
///     number. A save that would leave fewer throws ``StoreError`` of kind `invalidObject`.
///   - maximumModelCount: How many objects it may hold when its object is saved; 0 and nil for any
///     number. A save that would leave more throws ``StoreError`` of kind `invalidObject`.
///   - originalName: The name that the property had in an earlier version, which the schema keeps.
///   - inverse: The property of the other class that leads back.
///   - hashModifier: What tells two versions of the property from each other, which the schema keeps.
@attached(peer)
public macro Relationship(
    _ options: RelationshipOption...,
    deleteRule: DeleteRule = .nullify,
    minimumModelCount: Int? = 0,
    maximumModelCount: Int? = 0,
    originalName: String? = nil,
    inverse: AnyKeyPath? = nil,
    hashModifier: String? = nil
) = #externalMacro(module: "DovetailMacros", type: "MarkerMacro")

/// Says that a list of objects of the own class leads back itself. A key path to the property would be a
/// circle for the compiler.
///
/// ```swift
/// @Model final class Person {
///     @Relationship(inverse: .itself) var friends: [Person] = []
///     init() {}
/// }
/// ann.friends.append(bob)     // bob.friends == [ann]
/// ```
///
/// - Parameters:
///   - deleteRule: What becomes of the other objects when this one is deleted.
///   - inverse: The property itself.
@attached(peer)
public macro Relationship(
    deleteRule: DeleteRule = .nullify,
    inverse: RelationshipInverse
) = #externalMacro(module: "DovetailMacros", type: "MarkerMacro")

/// The accessors of a property of a class. `@Model` writes it.
@attached(accessor, names: named(init), named(get), named(set), named(_modify))
@attached(peer, names: prefixed(_))
public macro _ManagedProperty(_ slot: Int = -1) =
    #externalMacro(module: "DovetailMacros", type: "ManagedPropertyMacro")

/// The end of an initializer of a class. `@Model` writes it.
@attached(body)
public macro _ManagedInitializer() =
    #externalMacro(module: "DovetailMacros", type: "ManagedInitializerMacro")
