import Dovetail

/// Compares two ways of doing the same work, in turn, so that a machine whose speed drifts is as
/// fair to one as to the other.
struct Comparison {
    let name: String
    /// What the ratio is: "times faster" or "times the time of".
    enum Goal {
        /// The baseline's time over ours.
        case fasterBy(Double)
        /// Our time over the baseline's.
        case withinTimes(Double)
        /// Nothing was promised.
        case none
    }

    let goal: Goal
    let baseline: String
    let ratio: Double
    let ours: Double
    let theirs: Double
    var unit = "ms"

    /// Takes the ratio that the goal is about.
    private static func comparing(
        _ name: String,
        _ goal: Goal,
        _ baseline: String,
        ours: Double,
        theirs: Double
    ) -> Comparison {
        let ratio = if case .withinTimes = goal { ours / theirs } else { theirs / ours }
        return Comparison(
            name: name,
            goal: goal,
            baseline: baseline,
            ratio: ratio,
            ours: ours,
            theirs: theirs
        )
    }

    /// A part of the names of the rows to run; nil for all.
    private static let rows = ProcessInfo.processInfo.environment["ROWS"]

    private static func leftOut(_ name: String) -> Comparison {
        Comparison(name: name, goal: .none, baseline: "", ratio: .nan, ours: 0, theirs: 0)
    }

    /// Runs both `rounds` times after one warm-up and takes the medians. The results live until a
    /// run is over, so that freeing them is not measured.
    static func of<Ours, Theirs>(
        _ name: String,
        goal: Goal,
        baseline: String,
        rounds: Int = 5,
        ours: () throws -> Ours,
        theirs: () throws -> Theirs
    ) rethrows -> Comparison {
        if let rows, !name.contains(rows) { return .leftOut(name) }
        var times: (ours: [Double], theirs: [Double]) = ([], [])
        for round in 0...rounds {
            let first = try milliseconds(ours)
            let second = try milliseconds(theirs)
            if round > 0 {
                times.ours.append(first)
                times.theirs.append(second)
            }
        }
        return comparing(
            name,
            goal,
            baseline,
            ours: median(times.ours),
            theirs: median(times.theirs)
        )
    }

    /// The same with the minima, which say what the work costs where nothing disturbs it. Each run
    /// gets an input of its own, which is made before its time is taken and freed after that.
    static func ofMinima<Input, Other, Ours, Theirs>(
        _ name: String,
        goal: Goal,
        baseline: String,
        rounds: Int = 7,
        prepare: () throws -> Input,
        ours: (Input) throws -> Ours,
        prepareTheirs: () throws -> Other,
        theirs: (Other) throws -> Theirs
    ) rethrows -> Comparison {
        if let rows, !name.contains(rows) { return .leftOut(name) }
        var (a, b) = (Double.infinity, Double.infinity)
        for round in 0...rounds {
            let input = try prepare()
            let first = try milliseconds { try ours(input) }
            let other = try prepareTheirs()
            let second = try milliseconds { try theirs(other) }
            withExtendedLifetime((input, other)) {}
            if round > 0 { (a, b) = (min(a, first), min(b, second)) }
        }
        return comparing(name, goal, baseline, ours: a, theirs: b)
    }

    /// The same without inputs.
    static func ofMinima<Ours, Theirs>(
        _ name: String,
        goal: Goal,
        baseline: String,
        rounds: Int = 7,
        ours: () throws -> Ours,
        theirs: () throws -> Theirs
    ) rethrows -> Comparison {
        try ofMinima(
            name,
            goal: goal,
            baseline: baseline,
            rounds: rounds,
            prepare: {},
            ours: { _ in try ours() },
            prepareTheirs: {},
            theirs: { _ in try theirs() }
        )
    }

    /// How long work takes.
    static func milliseconds<Result>(_ work: () throws -> Result) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try work()
        let elapsed = clock.now - start
        withExtendedLifetime(result) {}
        let parts = elapsed.components
        return Double(parts.seconds) * 1e3 + Double(parts.attoseconds) / 1e15
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }

    /// Whether the ratio is as good as was promised.
    var isMet: Bool {
        switch goal {
        case .fasterBy(let least): ratio >= least
        case .withinTimes(let most): ratio <= most
        case .none: true
        }
    }

    /// One row of the table.
    var row: String {
        let promise: String
        switch goal {
        case .fasterBy(let least): promise = "≥ " + format(least)
        case .withinTimes(.infinity): promise = ""
        case .withinTimes(let most): promise = "≤ " + format(most)
        case .none: promise = ""
        }
        return [
            name.padded(to: 46), format(ratio).padded(to: 8, left: true),
            promise.padded(to: 8, left: true), isMet ? "   " : " ✗ ",
            (format(ours) + " " + unit).padded(to: 12, left: true),
            (format(theirs) + " " + unit).padded(to: 12, left: true), "  ", baseline,
        ].joined()
    }

    static var header: String {
        [
            "work".padded(to: 46), "ratio".padded(to: 8, left: true),
            "goal".padded(to: 8, left: true), "   ", "Dovetail".padded(to: 12, left: true),
            "baseline".padded(to: 12, left: true),
        ].joined()
    }

    private func format(_ value: Double) -> String {
        let tenths = (value * 100).rounded() / 100
        return "\(tenths)"
    }
}

extension String {
    fileprivate func padded(to width: Int, left: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - count))
        return left ? space + self : self + space
    }
}
