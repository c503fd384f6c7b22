import Dovetail
import Foundation

/// libFuzzer's loop over `check`; all arguments are its own. `DOVETAIL_FUZZ` names the target, and
/// with `DOVETAIL_FUZZ_SEEDS` its seeds are written into that folder and nothing is run.
@main
enum EntryPoint {
    static func main() {
        let target = FuzzTarget.chosen
        if let folder = ProcessInfo.processInfo.environment["DOVETAIL_FUZZ_SEEDS"] {
            return writeSeeds(of: target, into: folder)
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(runFuzzer(&count, &arguments, checkOneInput))
    }

    private static func writeSeeds(of target: FuzzTarget, into folder: String) {
        do {
            for (index, seed) in try target.seeds().enumerated() {
                try seed.write(to: URL(fileURLWithPath: "\(folder)/seed-\(index)"))
            }
        } catch {
            print("error: the seeds cannot be written: \(error)")
            exit(1)
        }
    }
}

/// -1 keeps an input out of the corpus.
private func checkOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.check(Data(UnsafeBufferPointer(start: bytes, count: count))) ? 0 : -1
}

/// Of libFuzzer, for programs with an entry point of their own (llvm.org/docs/LibFuzzer.html).
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
