import Foundation
import StoreTestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// For a test of a folder that even root cannot write into.
    static var needsProtectedFiles: Self {
        .enabled(if: SystemAbility.protectsFiles, "files cannot be made immutable here")
    }

    /// For a test of a disk that is full.
    static var needsMounts: Self {
        .enabled(if: SystemAbility.mounts, "no file system can be mounted here")
    }

    /// For a test of a file that is larger than the memory.
    static var needsSparseFiles: Self {
        .enabled(if: SystemAbility.hasSparseFiles, "no sparse file of 8 TB can be made here")
    }

    /// For a test that reads what the kernel tells as files.
    static var needsProcessFiles: Self {
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "no /proc")
    }
}
