import Foundation

/// The server that all tests share, each in a schema of its own. `Scripts/test` starts and stops it.
package enum SharedPostgres {
    /// Where it is: `DOVETAIL_POSTGRES`, as libpq understands it; nil where there is none.
    package static let connectionString: String? = {
        let named = ProcessInfo.processInfo.environment["DOVETAIL_POSTGRES"]
        return named.flatMap { $0.isEmpty ? nil : $0 }
    }()

    /// The port that it listens at on loopback, where it says so in the way of a URL.
    package static let port: Int? = connectionString.flatMap { URL(string: $0)?.port }
}
