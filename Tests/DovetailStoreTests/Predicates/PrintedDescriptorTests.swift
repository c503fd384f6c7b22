import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Foundation's description of a predicate ends the program where the predicate has an expression of
/// Dovetail's.
@Suite struct PrintedDescriptorTests {
    private let composed: Predicate<Sighting> = .all([
        #Predicate { $0.bird.hasSuffix("en") }, .not(#Predicate { $0.id > 3 }),
    ])

    @Test func `a descriptor is printed and dumped, whatever its predicate is made of`() {
        var descriptor = FetchDescriptor(predicate: composed, sortBy: [SortDescriptor(\.id)])
        descriptor.fetchLimit = 2
        var dumped = ""
        dump(descriptor, to: &dumped)
        for text in ["\(descriptor)", String(reflecting: descriptor), dumped] {
            #expect(text.contains("HasSuffix"), "\(text)")
            #expect(text.contains("fetchLimit"), "\(text)")
        }
        #expect("\(FetchDescriptor<Sighting>())" == "FetchDescriptor<Sighting>()")
    }

    @Test func `what is not asked for is left out`() {
        var descriptor = FetchDescriptor<Sighting>(predicate: nil)
        descriptor.fetchOffset = 3
        descriptor.includePendingChanges = false
        descriptor.deletedValues = .only
        #expect(
            "\(descriptor)" == "FetchDescriptor<Sighting>(fetchOffset: 3, "
                + "includePendingChanges: false, deletedValues: only)"
        )
    }

    @Test func `an inline predicate is printed`() {
        let inline = InlinePredicate(composed)
        #expect("\(inline)".contains("HasSuffix"))
        var dumped = ""
        dump(inline, to: &dumped)
        #expect(dumped.contains("HasSuffix"))
    }
}
