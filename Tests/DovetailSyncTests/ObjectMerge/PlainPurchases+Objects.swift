import Dovetail

// Purchases of a context as plain values, and the other way round.

extension PlainPurchase {
    /// The purchases of a context, by their numbers.
    static func all(_ context: ModelContext) throws -> [Int: PlainPurchase] {
        var all: [Int: PlainPurchase] = [:]
        for purchase in try context.fetch(FetchDescriptor<Purchase>()) {
            all[purchase.number] = PlainPurchase(purchase)
        }
        return all
    }

    init(_ purchase: Purchase) {
        title = purchase.title
        inside["lines"] = purchase.lines.map(PlainPart.init)
        inside["note"] = purchase.note.map { [PlainPart(.note, $0.text)] } ?? []
        inside["crates"] = purchase.crates.map(PlainPart.init)
        inside["extras"] = purchase.extras.map { extra in
            var part = PlainPart(extra is PurchaseGift ? .gift : .card, extra.text)
            if let gift = extra as? PurchaseGift { part.inside["notes"] = notes(gift.notes) }
            part.good = (extra as? PurchaseCard)?.good?.name
            return part
        }
    }

    /// Makes an object this one. What is the same in it stays.
    func apply(to purchase: Purchase, in context: ModelContext) throws {
        purchase.title = title
        let old = PlainPurchase(purchase)
        var free = purchase.lines
        var lines: [PurchaseLine] = []
        for wanted in inside["lines"] ?? [] {
            if let place = free.firstIndex(where: { PlainPart($0).text == wanted.text }) {
                lines.append(free.remove(at: place))
            } else {
                lines.append(try wanted.line(in: context))
            }
        }
        purchase.lines = lines
        for line in free { context.delete(line) }
        if text("note") != old.text("note") {
            if let note = purchase.note { context.delete(note) }
            purchase.note = inside["note"]?.first.map { PurchaseNote($0.name) }
        }
        if text("extras") != old.text("extras") {
            for extra in purchase.extras {
                if let gift = extra as? PurchaseGift { context.delete(gift) }
                if let card = extra as? PurchaseCard { context.delete(card) }
            }
            purchase.extras = try (inside["extras"] ?? []).map { try $0.extra(in: context) }
        }
    }
}

private func notes(_ notes: [PurchaseNote]) -> [PlainPart] {
    notes.map { PlainPart(.note, $0.text) }
}

extension PlainPart {
    init(_ line: PurchaseLine) {
        self.init(.line, line.text)
        number = line.count
        good = line.good?.name
        inside["options"] = line.options.map(PlainPart.init)
        inside["mark"] =
            line.mark.map { mark in
                var part = PlainPart(.mark, mark.text)
                part.inside["note"] = mark.note.map { notes([$0]) } ?? []
                return [part]
            } ?? []
        inside["parcels"] = line.parcels.map(PlainPart.init)
    }

    init(_ parcel: PurchaseParcel) {
        self.init(.parcel, parcel.code)
        number = parcel.weight
        inside["notes"] = notes(parcel.notes)
    }

    init(_ option: PurchaseOption) {
        self.init(.option, option.text)
        inside["options"] = option.options.map(PlainPart.init)
    }

    fileprivate func line(in context: ModelContext) throws -> PurchaseLine {
        let line = PurchaseLine(name, number)
        line.good = try good.map { try context.good($0) }
        line.options = (inside["options"] ?? []).map { $0.option }
        if let mark = inside["mark"]?.first {
            line.mark = PurchaseMark(mark.name)
            line.mark?.note = mark.inside["note"]?.first.map { PurchaseNote($0.name) }
        }
        line.parcels = try (inside["parcels"] ?? []).map { try $0.parcel(in: context) }
        return line
    }

    /// One with this name stays the object that it is.
    func parcel(in context: ModelContext) throws -> PurchaseParcel {
        let code = name
        let known = try context.fetch(
            FetchDescriptor<PurchaseParcel>(predicate: #Predicate { $0.code == code })
        )
        let parcel = known.first ?? PurchaseParcel(code)
        parcel.weight = number
        for note in parcel.notes where known.first != nil { context.delete(note) }
        parcel.notes = (inside["notes"] ?? []).map { PurchaseNote($0.name) }
        return parcel
    }

    private var option: PurchaseOption {
        let option = PurchaseOption(name)
        option.options = (inside["options"] ?? []).map { $0.option }
        return option
    }

    fileprivate func extra(in context: ModelContext) throws -> any PurchaseExtra {
        if kind == .gift {
            let gift = PurchaseGift(name)
            gift.notes = (inside["notes"] ?? []).map { PurchaseNote($0.name) }
            return gift
        }
        let card = PurchaseCard(name)
        card.good = try good.map { try context.good($0) }
        return card
    }
}
