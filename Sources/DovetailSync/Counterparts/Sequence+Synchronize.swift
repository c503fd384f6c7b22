extension Sequence where Element: Migratable {
    /// Makes counterparts stand for exactly these values: what none is given for is removed, what has
    /// changed is updated, and what is missing is exported.
    ///
    /// ```swift
    /// let stored = try context.fetch(FetchDescriptor<StoredMessage>())
    /// let result = try messages.synchronize(with: stored, in: context)
    /// try context.save()
    /// ```
    ///
    /// A value that is given twice counts once, and of several counterparts of one value the first stays.
    /// All of them are looked at before the first one is changed. Removals come first, then updates, then
    /// what is new, so that a unique value can pass on. A second run with the counterparts that are there
    /// then changes nothing.
    ///
    /// Where a function of the program throws, what was done before stays done: a ``ModelContext`` has
    /// stored nothing of it then, and takes it back with `rollback()`.
    ///
    /// - Parameters:
    ///   - counterparts: What there is.
    ///   - context: Where it is kept.
    /// - Complexity: linear in both, of values that are `Identifiable` or `Hashable`; of others the product
    ///   of their numbers.
    /// - Throws: ``SynchronizeError`` for two values with one `id` that are not equal, before anything is
    ///   done, and what ``Migratable/delete(_:from:)``, ``Migratable/update(_:in:)`` and
    ///   ``Migratable/export(to:)`` throw.
    @discardableResult
    public func synchronize(
        with counterparts: some Sequence<Element.Counterpart>,
        in context: Element.Context
    ) throws -> SynchronizeResult<Element.Counterpart> {
        typealias Result = SynchronizeResult<Element.Counterpart>
        let given = try GivenElements.of(self)
        var isThere = Array(repeating: false, count: given.elements.count)
        var removals: [Result.Removal] = []
        var changed: [(position: Int, counterpart: Element.Counterpart)] = []
        var unchanged: [Element.Counterpart] = []
        for counterpart in counterparts {
            var reason: Result.Reason?
            if let built = Element.build(from: counterpart) {
                if let position = given.position(of: built) {
                    if isThere[position] {
                        reason = .repeated
                    } else {
                        isThere[position] = true
                        guard built == given.elements[position] else {
                            changed.append((position, counterpart))
                            continue
                        }
                    }
                } else {
                    reason = .notGiven
                }
            } else {
                reason = .notBuilt
            }
            if let reason, !Element.keepsCounterparts {
                removals.append(Result.Removal(counterpart, reason))
            } else {
                unchanged.append(counterpart)
            }
        }
        for removal in removals { try Element.delete(removal.counterpart, from: context) }
        let updated = try changed.map { position, counterpart in
            try CounterpartUpdate.run(counterpart, to: given.elements[position], in: context)
        }
        let added = try given.elements.indices.lazy.filter { !isThere[$0] }
            .map { try given.elements[$0].export(to: context) }
        return Result(added: added, updated: updated, removals: removals, unchanged: unchanged)
    }

    /// Exports these values, without a look at what is there. A value that is given twice counts once.
    ///
    /// - Complexity: as of `synchronize(with:in:)`.
    /// - Throws: as `synchronize(with:in:)`.
    @discardableResult
    public func add(
        to context: Element.Context
    ) throws -> SynchronizeResult<Element.Counterpart> {
        try synchronize(with: EmptyCollection(), in: context)
    }

    /// Removes the counterparts of these values, those with the same `id` where the values have one, and
    /// nothing else.
    ///
    /// - Complexity: as of `synchronize(with:in:)`.
    /// - Throws: as `synchronize(with:in:)`.
    @discardableResult
    public func remove(
        from counterparts: some Sequence<Element.Counterpart>,
        in context: Element.Context
    ) throws -> SynchronizeResult<Element.Counterpart> {
        typealias Result = SynchronizeResult<Element.Counterpart>
        let given = try GivenElements.of(self)
        var removals: [Result.Removal] = []
        var unchanged: [Element.Counterpart] = []
        for counterpart in counterparts {
            let built = Element.keepsCounterparts ? nil : Element.build(from: counterpart)
            if let built, given.position(of: built) != nil {
                removals.append(Result.Removal(counterpart, .asked))
            } else {
                unchanged.append(counterpart)
            }
        }
        for removal in removals { try Element.delete(removal.counterpart, from: context) }
        return Result(removals: removals, unchanged: unchanged)
    }
}
