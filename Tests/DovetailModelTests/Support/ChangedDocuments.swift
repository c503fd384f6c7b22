import DovetailTesting
import Foundation

extension SeededRandom {
    /// A document with one to three changes: a byte or a token added, removed or repeated, an end
    /// in the middle, a part of another document.
    mutating func changed(_ document: Data, tokens: [String], others: [Data]) -> Data {
        var bytes = Array(document)
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            let place = Int.random(in: 0...bytes.count, using: &self)
            let end = min(bytes.count, place + Int.random(in: 1...8, using: &self))
            switch Int.random(in: 0..<8, using: &self) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
            case 2: bytes.insert(.random(in: 0...255, using: &self), at: place)
            case 3 where place < bytes.count:
                bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            case 4 where place > 0: bytes.removeSubrange(place...)
            case 5:
                guard let other = others.randomElement(using: &self), !other.isEmpty else {
                    continue
                }
                let start = Int.random(in: 0..<other.count, using: &self)
                let count = Int.random(in: 0...20, using: &self)
                bytes.insert(contentsOf: Array(Array(other)[start...].prefix(count)), at: place)
            default:
                guard let token = tokens.randomElement(using: &self) else { continue }
                bytes.replaceSubrange(
                    Bool.random(using: &self) ? place..<end : place..<place,
                    with: Array(token.utf8)
                )
            }
        }
        return Data(bytes)
    }
}
