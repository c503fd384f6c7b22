import DovetailContext
import DovetailModel
import DovetailStore

// Objects inside of others that documents have no name for are merged as a whole, with all inside of them: where one
// side has changed what an object has in a relationship, that side's is there.

extension ObjectMerge {
    /// Decides what objects have inside of them that documents have no name for.
    ///
    /// - Throws: ``StoreError``, and ``ModelEncodingError`` for what cannot be kept as a conflict.
    func decideWholes(_ wholes: [DocumentWhole], _ isNew: Set<RowName>) throws {
        for whole in wholes {
            if decisions.skipped.contains(whole.owner) {
                // The next document with the same is no news.
                if !isNew.contains(whole.owner) { choices.noted.insert(whole.place) }
            } else if isNew.contains(whole.owner) || revived.contains(whole.owner) {
                choices.taken.insert(whole.place)
            } else if whole.isSame {
                choices.same.insert(whole.place)
            } else if !whole.isChangedThere {
                // What was known of a row that has another one by now is noted for that.
                if whole.isReplaced { choices.noted.insert(whole.place) }
                open[whole.owner, default: []].insert(whole.name)
            } else if !whole.isChangedHere || rules[nil] == .listWins {
                choices.taken.insert(whole.place)
            } else if rules[nil] == .error {
                refuse(whole.owner, [whole.name])
            } else {
                choices.noted.insert(whole.place)
                open[whole.owner, default: []].insert(whole.name)
                if rules[nil] == .keep { try keep(whole) }
            }
        }
        takeMoved(wholes)
        for whole in wholes where !choices.same.contains(whole.place) {
            if choices.taken.contains(whole.place) {
                for name in whole.needed.intersection(decisions.skipped) { refuse(name, []) }
            } else {
                leaveOut(whole.new)
                // They stay where they are, also in lists of which the document says something.
                for name in whole.known {
                    let columns = try table(name.table).entity.attributes.indices
                    decisions.kept[name] = ColumnSet(columns)
                }
            }
        }
        decisions.wholes = choices.taken
    }

    /// Takes the wholes in which the document has named objects that go from others with what that has there: they were
    /// moved here, and would be nowhere.
    private func takeMoved(_ wholes: [DocumentWhole]) {
        var leaving = Set(
            wholes.lazy.filter { self.choices.taken.contains($0.place) }
                .flatMap { Set($0.held).subtracting($0.known) }
        )
        while !leaving.isEmpty {
            let others = wholes.filter {
                !choices.taken.contains($0.place) && !choices.same.contains($0.place)
                    && !decisions.skipped.contains($0.owner) && !leaving.isDisjoint(with: $0.known)
            }
            leaving = []
            for whole in others {
                take(whole)
                leaving.formUnion(Set(whole.held).subtracting(whole.known))
            }
        }
    }

    /// Takes the wholes in which the document has named objects that were put here into others, which go.
    func takeReleased(_ wholes: [DocumentWhole]) {
        for whole in wholes
        where !choices.taken.contains(whole.place) && !choices.same.contains(whole.place)
            && !decisions.skipped.contains(whole.owner) && !released.isDisjoint(with: whole.known)
        {
            take(whole)
            decisions.wholes.insert(whole.place)
            decisions.skipped.subtract(whole.new)
            unknown.subtract(whole.new)
            for name in whole.known { decisions.kept[name] = nil }
        }
    }

    /// Lets a whole that was to stay what it is here be what the document has.
    private func take(_ whole: DocumentWhole) {
        choices.noted.remove(whole.place)
        choices.taken.insert(whole.place)
        open[whole.owner]?.remove(whole.name)
    }

    private func keep(_ whole: DocumentWhole) throws {
        let text = String(decoding: try whole.document.encoded(as: .json), as: UTF8.self)
        let conflict = KeptConflict(
            table: whole.owner.table,
            key: whole.owner.key.values,
            attribute: whole.name,
            base: nil,
            remote: [whole.name: .text(text)]
        )
        _ = try table(whole.owner.table)
        tables[whole.owner.table]?.conflicts.add(conflict)
    }

    /// Notes what the other side has in them.
    ///
    /// - Returns: the objects that go.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func noteWholes(_ document: RowsOfDocument) throws -> [any PersistentModel] {
        let outcome = try document.outcome(of: choices, besides: decisions.skipped)
        bases.delete(outcome.gone)
        bases.forget(outcome.staying)
        bases.forget(outcome.given.lazy.filter { $0.value != nil }.map(\.key))
        for (name, values) in outcome.given { bases.give(values, name) }
        for (name, row) in outcome.settled { bases.settle(name, row) }
        for (name, column, key, row) in outcome.keys { bases.give(key, column, of: name, row) }
        return outcome.leaving
    }
}
