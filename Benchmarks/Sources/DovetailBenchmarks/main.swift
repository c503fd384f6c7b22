import Dovetail

func time(_ n: Int = 5, _ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<n { let t = ContinuousClock().now; try body(); best = min(best, Double((ContinuousClock().now - t).components.attoseconds) / 1e15 + Double((ContinuousClock().now - t).components.seconds) * 1000) }
    return best
}
let flat = FlatRecord.samples(100_000)
let doc = try JSONEncoder().encode(flat)
var keep: [[FlatRecord]] = []
print(doc.count, String(decoding: doc.prefix(200), as: UTF8.self))
let a = 0.0; keep.append(flat)
let b = try time(40) { _ = (try [FlatRecord](decoding: doc, as: .json)) }

let ea = 0.0
let eb = try time(40) { _ = try flat.encoded(as: .json) }
print("flat", a, b, a / b, "enc", ea, eb, ea / eb)
let again = try [FlatRecord](decoding: flat.encoded(as: .json), as: .json); precondition(again == flat)
let shapes = Shapes.samples(100_000)
let sdoc = try JSONEncoder().encode(shapes.map(CodableShape.init))
print(sdoc.count, String(decoding: sdoc.prefix(200), as: UTF8.self))
var k2: [[any Shape]] = []
let c = 0.0
let d = try time(40) { _ = (try [any Shape](decoding: sdoc, as: .json)) }
let ec = 0.0
let ed = try time(40) { _ = try shapes.encoded(as: .json) }
print("poly", c, d, c / d, "enc", ec, ed, ec / ed)
print(String(decoding: try shapes.prefix(3).map { $0 }.encoded(as: .json), as: UTF8.self))
