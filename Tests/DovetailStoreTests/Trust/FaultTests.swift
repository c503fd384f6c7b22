import Dovetail
import StoreTestSupport
import Testing

/// The first, second, third … operation on files fails, until the whole story passes without a
/// failure. The suite leaves out some of the many writes and reads; `Scripts/soak` none.
@Suite(.serialized) struct FaultTests {
    @Test(arguments: Fault.allCases)
    func `whatever fails ends in a typed error, and what was acknowledged is there`(
        fault: Fault
    ) throws {
        let stride = Soak.isOn ? 1 : fault.stride
        var number = 1 + (Fault.allCases.firstIndex { $0 == fault } ?? 0) % stride
        var errors = 0
        var places = 0
        while true {
            let story = try FaultStory("\(fault), number \(number)")
            fault.begin(in: story.folder.url, at: number)
            story.run()
            let failures = Fault.end()
            errors += story.errors
            try story.check()
            if failures == 0 { break }
            number += stride
            places += 1
        }
        print("\(fault): \(places) places, \(errors) errors")
        #expect(errors > 0)
    }
}
