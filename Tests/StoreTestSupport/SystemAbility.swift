package import Foundation

/// What the system lets a test do; each is tried once.
package enum SystemAbility {
    /// Whether files can be made immutable, also for root.
    package static let protectsFiles = inFolder { folder in
        defer { protect(folder, false) }
        return protect(folder, true)
    }

    /// Whether small file systems can be mounted.
    package static let mounts = inFolder { folder in
        defer { run("umount", folder.path) }
        return run("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", folder.path)
    }

    /// Whether a file of 8 TB takes no space.
    package static let hasSparseFiles = inFolder { folder in
        run("truncate", "-s", "8T", folder.appendingPathComponent("file").path)
    }

    /// Makes a file or folder immutable, or changeable again; whether that was possible.
    @discardableResult
    package static func protect(_ file: URL, _ isProtected: Bool) -> Bool {
        run("chattr", isProtected ? "+i" : "-i", file.path)
    }

    private static func inFolder(_ attempt: (URL) -> Bool) -> Bool {
        guard let folder = try? TemporaryFolder() else { return false }
        return attempt(folder.url)
    }

    /// Runs a program and waits for it; whether it succeeded.
    @discardableResult
    package static func run(_ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
