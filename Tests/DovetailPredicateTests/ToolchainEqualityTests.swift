import Dovetail
import Testing
import ToolchainPredicates

/// What the toolchain's macro compiles, ours compiles to the same.
struct ToolchainEqualityTests {
    @Test
    func `the types of expressions are those that the toolchain's macro makes`() {
        let (ours, theirs) = (ourPredicates(), toolchainPredicates())
        #expect(ours.count == theirs.count && ours.count >= 100)
        for (index, (ours, theirs)) in zip(ours, theirs).enumerated() {
            let our = String(reflecting: type(of: ours.expression))
            let their = String(reflecting: type(of: theirs.expression))
            #expect(our == their, "number \(index) of Bodies.swift")
        }
    }

    @Test
    func `predicates answer as those of the toolchain's macro`() throws {
        var holding = 0
        for (index, (ours, theirs)) in zip(ourPredicates(), toolchainPredicates()).enumerated() {
            for film in Film.samples {
                let answer = try ours.evaluate(film)
                #expect(answer == (try theirs.evaluate(film)), "number \(index), film \(film.id)")
                holding += answer ? 1 : 0
            }
        }
        #expect(holding > 500)
    }
}
