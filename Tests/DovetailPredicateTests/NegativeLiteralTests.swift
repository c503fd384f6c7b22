import Dovetail
import Foundation
import Testing

/// A minus before a literal is a part of it, whatever it is compared with.
@Suite struct NegativeLiteralTests {
    private struct Reading: Sendable {
        let id: Int
        var celsius: Double?
        var steps: Int?
        var price: Decimal?
        var level = -1
    }

    @Test func `they are compared with optionals`() throws {
        let all = [
            Reading(id: 1, celsius: -1.5), Reading(id: 2, celsius: 1.5, steps: -1),
            Reading(id: 3, steps: 1, price: -2),
        ]
        let predicates: [(Predicate<Reading>, [Int])] = [
            (#Predicate { $0.celsius == -1.5 }, [1]),
            (#Predicate { $0.celsius != -1.5 }, [2, 3]),
            (#Predicate { -1.5 == $0.celsius }, [1]),
            (#Predicate { $0.steps == -1 }, [2]),
            (#Predicate { $0.steps == (-1) }, [2]),
            (#Predicate { $0.price == -2 }, [3]),
            (#Predicate { ($0.celsius ?? -1.5) == -1.5 }, [1, 3]),
            (#Predicate { $0.level == -1 && -$0.level == 1 }, [1, 2, 3]),
            (#Predicate { $0.level > -2 && $0.level <= -0x1 }, [1, 2, 3]),
        ]
        for (index, (predicate, expected)) in predicates.enumerated() {
            #expect(try all.filter { try predicate.evaluate($0) }.map(\.id) == expected, "\(index)")
        }
    }
}
