/// A value that stands for something in a store: its counterpart, of which the program knows nothing
/// beyond the functions that translate.
///
/// ```swift
/// extension Message: Migratable {
///     static func build(from stored: StoredMessage) -> Message? {
///         stored.state.flatMap(MessageState.build).map { Message(id: stored.id, text: stored.text, state: $0) }
///     }
///     func export(to context: ModelContext) throws -> StoredMessage {
///         let stored = StoredMessage(id: id, text: text, state: try state.export(to: context))
///         context.insert(stored)
///         return stored
///     }
/// }
/// let result = try messages.synchronize(with: stored, in: context)
/// ```
///
/// The counterpart can be an object of a class with `@Model`, a struct with `@Model`, a row, a document
/// in a file, or anything else; what it is kept in is the context. Another store is another `build` and
/// another `export`, and nothing else of a program changes.
///
/// What makes a value the same one as before is its `id` where it is `Identifiable`, and that it is equal
/// otherwise, also where `id` is the address of an object. A value that is not equal to itself, such as one with a NaN, is changed at each run.
public protocol Migratable: Equatable {
    /// What stands for a value in the store.
    associatedtype Counterpart
    /// Where counterparts are kept.
    associatedtype Context

    /// The value that a counterpart stands for; nil where it stands for none any more, such as one whose
    /// number no case of an enum has.
    static func build(from counterpart: Counterpart) -> Self?

    /// Makes a counterpart in a context, or takes one that is there where several values share it.
    ///
    /// - Throws: what the context throws.
    func export(to context: Context) throws -> Counterpart

    /// Removes a counterpart. Values, objects and entities of a context have one by default.
    ///
    /// - Throws: what the context throws.
    static func delete(_ counterpart: Counterpart, from context: Context) throws

    /// Makes a counterpart stand for this value, which has the `id` of the one that it stands for. By
    /// default it is deleted and this value exported; written by hand, it keeps what only the counterpart
    /// has: its columns, and what refers to it.
    ///
    /// - Throws: what the context throws.
    func update(_ counterpart: Counterpart, in context: Context) throws

    /// Whether counterparts stay where no value is given that they stand for. By default those of an enum
    /// with `CaseIterable` do: others refer to the row of a case.
    static var keepsCounterparts: Bool { get }
}

extension Migratable {
    /// Deletes the counterpart and exports the value.
    ///
    /// - Throws: what ``delete(_:from:)`` and ``export(to:)`` throw.
    public func update(_ counterpart: Counterpart, in context: Context) throws {
        try Self.delete(counterpart, from: context)
        let new = try export(to: context)
        CounterpartUpdate.current?.replace(self, by: new)
    }

    /// False: what stands for no value goes.
    public static var keepsCounterparts: Bool { false }
}

extension Migratable where Self: CaseIterable {
    /// True: the rows of cases are shared.
    public static var keepsCounterparts: Bool { true }
}

/// An update of one counterpart. Who has not written one need not say what stands for the value
/// afterwards: the update by default leaves it here.
final class CounterpartUpdate: @unchecked Sendable {
    /// The one that runs in this task. Invariant of the unchecked `Sendable`: an update runs and ends in
    /// one function that does not wait.
    @TaskLocal static var current: CounterpartUpdate?

    private let element: Any
    private var replacement: Any?

    private init(_ element: Any) { self.element = element }

    /// Updates a counterpart, and gives what stands for the value now.
    ///
    /// - Throws: what the update throws.
    static func run<Element: Migratable>(
        _ counterpart: Element.Counterpart,
        to element: Element,
        in context: Element.Context
    ) throws -> Element.Counterpart {
        let update = CounterpartUpdate(element)
        try $current.withValue(update) { try element.update(counterpart, in: context) }
        return update.replacement as? Element.Counterpart ?? counterpart
    }

    /// Notes what stands for a value that was deleted and exported. What it has in it may be, too.
    fileprivate func replace<Element: Migratable>(_ element: Element, by new: Element.Counterpart) {
        if self.element as? Element == element { replacement = new }
    }
}
