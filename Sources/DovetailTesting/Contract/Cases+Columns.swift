import Dovetail

extension ContractTrial {
    /// All specimens of a store in the order of their keys.
    func specimens(_ context: ModelContext) throws -> [Specimen] {
        try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.id)]))
    }

    /// Stores specimens, and expects them back as values and, byte by byte, as columns.
    func expectBack(_ specimens: [Specimen]) throws {
        let container = try container(Specimen.self)
        let context = ModelContext(container)
        step("insert \(specimens.count) rows with a value in each kind of column")
        context.insert(contentsOf: specimens)
        try context.save()
        step("read them in another context")
        let other = ModelContext(container)
        try expect(rows: self.specimens(other), specimens)
        let sorted = FetchDescriptor<Specimen>(sortBy: [SortDescriptor(\.id)])
        try other.withRows(of: sorted) { cursor, entity in
            let comparison = RowComparison(cursor)
            for specimen in specimens {
                try expect("another row", try cursor.next())
                comparison.reset()
                try ModelWriter.writeRows(CollectionOfOne(specimen), to: comparison) { _ in }
                try expect(
                    "the columns of row \(specimen.id) are those written",
                    comparison.differing.isEmpty
                )
            }
            try expect("rows after the last one", try cursor.next(), false)
        }
    }
}

extension StoreContract {
    static let columnCases: [Case] = [
        Case("each kind of column comes back as it was") { trial in
            var random = trial.random
            try trial.expectBack(Specimen.many(200, using: &random))
        },
        Case("the smallest and the largest values come back") { trial in
            var (low, high, fine) = (Specimen(.min), Specimen(.max), Specimen(0))
            (low.count, low.small, low.unsigned) = (.min, .min, .min)
            (high.count, high.small, high.unsigned) = (.max, .max, .max)
            (low.ratio, low.float, low.optRatio) = (-.greatestFiniteMagnitude, -.infinity, -1e308)
            (high.ratio, high.float, high.optRatio) = (.infinity, .greatestFiniteMagnitude, 1e308)
            fine.ratio = .leastNonzeroMagnitude
            fine.float = .leastNonzeroMagnitude
            fine.optRatio = 0.1 + 0.2
            let digits = "12345678901234567890123456789012345678"
            low.price = Decimal(string: "-" + digits) ?? 0
            high.price = Decimal(string: digits + "00000000000000000000") ?? 0
            fine.price = Decimal(string: "0.0000000000000000000000000000000000001") ?? 0
            // The first second of the year 0, the last one of 9999, and a fraction of all its bits.
            low.day = Date(timeIntervalSinceReferenceDate: -63_145_526_400)
            high.day = Date(timeIntervalSinceReferenceDate: 252_423_993_599)
            fine.day = trial.random.kept(
                Date(timeIntervalSinceReferenceDate: (721_692_800.123 as Double).nextUp)
            )
            (low.holder, high.holder) = (HolderID(rawValue: .min), HolderID(rawValue: .max))
            high.name = String(repeating: "0123456789", count: 20_000)
            high.bytes = Data(repeating: 7, count: 200_000)
            high.parts = (0..<2000 as Range<Int>).map { Part(name: "\($0)", count: $0) }
            try trial.expectBack([low, fine, high])
        },
        Case("nothing, the empty and zero are three values") { trial in
            var (empty, zero, none) = (Specimen(1), Specimen(2), Specimen(3))
            (empty.optName, empty.optBytes) = ("", Data())
            empty.optPart = Part(name: "", count: nil)
            (zero.optFlag, zero.optCount, zero.optRatio) = (false, 0, 0)
            (zero.optPrice, zero.optDay) = (0, Date(timeIntervalSinceReferenceDate: 0))
            (zero.optName, zero.optBytes) = ("0", Data([0]))
            none.parts = []
            try trial.expectBack([empty, zero, none])
        },
        Case("text comes back with NUL and in every script") { trial in
            let texts = [
                "\0", "a\0b", "\0\0", "e\u{301}", "é", "日本語", "👩‍👩‍👧", "\u{10FFFF}", "\u{FEFF}x",
                "\r\n\t", "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}", "'; DROP TABLE \"Specimen\"; --",
                "\\", "\u{202E}abc", "%_*?", "null", "\u{2028}",
            ]
            .map { trial.random.kept($0) }
            try trial.expectBack(
                texts.enumerated().map { index, text in
                    var specimen = Specimen(index)
                    (specimen.name, specimen.optName) = (text, text)
                    specimen.part.name = text
                    specimen.numbers = [text: index]
                    return specimen
                }
            )
        },
        Case("bytes come back, each of the 256") { trial in
            var specimen = Specimen(1)
            specimen.bytes = Data((0...255).map { UInt8($0) })
            specimen.optBytes = Data(specimen.bytes.reversed())
            try trial.expectBack([specimen])
        },
        Case("an update puts other values into each kind of column") { trial in
            var random = trial.random
            let context = try trial.context(Specimen.self)
            let before = Specimen.many(40, using: &random)
            let after = Specimen.many(40, using: &random)
            trial.step("insert 40 rows")
            context.insert(contentsOf: before)
            try context.save()
            trial.step("update each of them")
            context.update(after)
            try context.save()
            try trial.expect(rows: trial.specimens(context), after)
            trial.step("upsert what was there before")
            context.upsert(before)
            try context.save()
            try trial.expect(rows: trial.specimens(context), before)
        },
    ]
}
