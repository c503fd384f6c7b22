import Dovetail
import StoreTestSupport
import Synchronization

/// Counts the objects that are alive.
private final class RoundLife: Sendable {
    static let count = Atomic<Int>(0)

    init() { Self.count.add(1, ordering: .relaxed) }

    deinit { Self.count.subtract(1, ordering: .relaxed) }
}

/// Objects that lead to each other in all ways.
@Model final class RoundHolder {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \RoundPart.holder) var parts: [RoundPart] = []
    @Relationship(deleteRule: .cascade, inverse: \RoundPart.only) var single: RoundPart?
    @Relationship(inverse: \RoundPart.friends) var friends: [RoundPart] = []
    @Transient private var life: RoundLife = RoundLife()

    init(name: String) { self.name = name }
}

@Model final class RoundPart {
    var number: Int
    var holder: RoundHolder?
    var only: RoundHolder?
    var friends: [RoundHolder] = []
    @Transient private var life: RoundLife = RoundLife()

    init(number: Int) { self.number = number }
}

/// `rounds FILE COUNT`, or `rounds memory COUNT`: opens, works and closes so many times. Prints the
/// resident kilobytes after a tenth of them and at the end, and how many objects are left.
func rounds() throws {
    let file = CommandLine.arguments[2]
    let count = Int(CommandLine.arguments[3]) ?? 0
    var early = 0
    for round in 0..<count {
        try work(file, round)
        if round == count / 10 { early = residentKilobytes() }
    }
    say("\(early) \(residentKilobytes()) \(RoundLife.count.load(ordering: .relaxed))")
}

private func work(_ file: String, _ round: Int) throws {
    let container =
        file == "memory"
        ? try ModelContainer(for: RoundHolder.self, configurations: MemoryConfiguration())
        : try container([RoundHolder.self])
    let (first, second) = (ModelContext(container), ModelContext(container))
    for holder in try first.fetch(FetchDescriptor<RoundHolder>()) { first.delete(holder) }
    for number in 0..<10 {
        let holder = RoundHolder(name: "\(round) \(number)")
        holder.parts = (0..<10).map { RoundPart(number: $0) }
        holder.single = RoundPart(number: 10)
        holder.friends = Array(holder.parts.prefix(3))
        first.insert(holder)
    }
    try first.save()
    for holder in try second.fetch(FetchDescriptor<RoundHolder>()) {
        holder.parts.reverse()
        holder.parts.first?.number += 1
        holder.single?.friends = [holder]
    }
    try second.save()
    first.processPendingChanges()
    for part in try first.fetch(FetchDescriptor<RoundPart>()) {
        part.holder?.name += "!"
        if part.number == 3 { first.delete(part) }
    }
    first.rollback()
    // What waits when a context ends goes with it.
    for part in try first.fetch(FetchDescriptor<RoundPart>()) { part.number += 1 }
    first.insert(RoundHolder(name: "never saved"))
}

private func residentKilobytes() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
}
