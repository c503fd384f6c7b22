// Which members of a list get other places when they are put into another order: as few as can be, as each
// is a row to be written.

extension RelationOrder {
    /// Gives the members of a list places that are in their order. Of those that may have moved, the most
    /// that are in order keep theirs; the others get places between them.
    ///
    /// - Parameters:
    ///   - count: How many there are.
    ///   - start: The first one that may have moved.
    ///   - settled: The first one of those at the end of which none has moved relative to the others.
    ///   - order: The place of the member at a position; nil for none.
    ///   - place: Gives the member at a position another place.
    /// - Complexity: O(*n* log *n*) of those that may have moved. Where no room is left between two that
    ///   stay, some beside them get other places, too.
    static func arrange(
        _ count: Int,
        from start: Int,
        settled: Int? = nil,
        order: (Int) -> Int64?,
        place: (Int, Int64) -> Void
    ) {
        let end = min(settled ?? count, count)
        var left = start == 0 ? nil : order(start - 1)
        let right = end < count ? order(end) : nil
        let kept = inOrder(start..<end, after: left, before: right, order)
        var cursor = 0
        /// The first one from a position on that keeps its place; the count for none.
        func firstKept(from position: Int) -> Int {
            while cursor < kept.count, kept[cursor] < position { cursor += 1 }
            if cursor < kept.count { return kept[cursor] }
            let first = max(position, end)
            return first >= count ? count : (first..<count).first { order($0) != nil } ?? count
        }
        var position = start
        while position < count {
            var next = firstKept(from: position)
            if next == position, let own = order(position), own > left ?? .min {
                if position >= end { return }
                left = own
                position += 1
                continue
            }
            if next == position { next = firstKept(from: position + 1) }
            var first = position
            var room = Room(after: left, before: next < count ? order(next) : nil)
            var least: Int64 = 1
            while first > 0 || next < count, !room.holds(next - first, apart: least) {
                // So many that others find places between them later.
                least = 1 << 5
                let many = next - first
                first = max(0, first - many)
                next = firstKept(from: min(next + many, count))
                left = first == 0 ? nil : order(first - 1)
                room = Room(after: left, before: next < count ? order(next) : nil)
            }
            let many = next - first
            for index in 0..<many {
                let new = room.place(index, of: many) ?? RelationOrder.next(after: left)
                place(first + index, new)
                left = new
            }
            position = next
        }
    }

    /// The most positions of a range whose places rise, and lie between two others. Of several, those with
    /// the highest places: what moves then goes up, as what is added does.
    ///
    /// For each length, it keeps the rise of that length which begins highest: from the end on, each place
    /// makes one of them longer.
    private static func inOrder(
        _ range: Range<Int>,
        after left: Int64?,
        before right: Int64?,
        _ order: (Int) -> Int64?
    ) -> [Int] {
        var items: [(position: Int, place: Int64, next: Int?)] = []
        /// Where the rise of each length begins, as an index of the items.
        var starts: [Int] = []
        for position in range.reversed() {
            guard let place = order(position), place > left ?? .min, place < right ?? .max else {
                continue
            }
            var (low, high) = (0, starts.count)
            // Most are lower than all after them.
            if let last = starts.last, items[last].place > place { low = high }
            while low < high {
                let middle = (low + high) / 2
                if items[starts[middle]].place > place { low = middle + 1 } else { high = middle }
            }
            items.append((position, place, low == 0 ? nil : starts[low - 1]))
            if low == starts.count {
                starts.append(items.count - 1)
            } else {
                starts[low] = items.count - 1
            }
        }
        var positions: [Int] = []
        var next = starts.last
        while let index = next {
            positions.append(items[index].position)
            next = items[index].next
        }
        return positions
    }

    /// What is free between two places.
    private struct Room {
        let left: Int64?
        let right: Int64?

        init(after left: Int64?, before right: Int64?) {
            self.left = left
            self.right = right
        }

        /// How far apart so many are that share it evenly; nil where there is no end to it, 0 where they do
        /// not fit.
        private func distance(of many: Int) -> Int64? {
            guard let right else { return nil }
            guard let left else { return right > .min + Int64(many + 1) << 20 ? 1 << 20 : 0 }
            if right <= left { return 0 }
            let (all, isFar) = right.subtractingReportingOverflow(left)
            return (isFar ? .max : all) / Int64(many + 1)
        }

        /// Whether so many find places that are so far apart.
        func holds(_ many: Int, apart least: Int64) -> Bool {
            distance(of: many).map { $0 >= least } ?? ((left ?? 0) < .max - Int64(many) << 20)
        }

        /// The place of one of so many; nil where there is no end to it. It is not quite even: two contexts
        /// that put objects between the same ones mostly give them different places. Those with one
        /// place are ordered by their keys.
        func place(_ index: Int, of many: Int) -> Int64? {
            guard let right, let distance = distance(of: many) else { return nil }
            let even =
                left.map { $0 + Int64(index + 1) * distance }
                ?? right - Int64(many - index) * distance
            return even + .random(in: -(distance / 4)...distance / 4)
        }
    }
}
