import Foundation

/// A schema with nothing in it, dropped with the value: tests that have one each run beside each other
/// on one server.
package final class FreshSchema: Sendable {
    /// Its name, `dovetail_test_` and a number.
    package let name: String
    /// The server's connection string, with this schema alone as the search path.
    package let connectionString: String
    private let server: String

    /// Makes it.
    ///
    /// - Parameter server: Where; nil for the shared server, which tests with `.needsPostgres` have.
    package init(on server: String? = SharedPostgres.connectionString) throws {
        guard let server else {
            throw RawPostgres.Failure(message: "DOVETAIL_POSTGRES is not set", state: nil)
        }
        name = "dovetail_test_\(UInt64.random(in: 0...UInt64(Int64.max)))"
        self.server = server
        connectionString = Self.adding("options", "-csearch_path=\(name)", to: server)
        try connect().rows("CREATE SCHEMA \(name)")
    }

    deinit {
        // Whoever still holds a lock in it, at a test that failed, must not hold up all others.
        _ = try? connect().rows("SET lock_timeout = '5s'; DROP SCHEMA IF EXISTS \(name) CASCADE")
    }

    /// A connection by hand, in this schema.
    package func connect() throws -> RawPostgres { try RawPostgres(connectionString) }

    /// A connection string with a parameter more.
    package static func adding(_ key: String, _ value: String, to string: String) -> String {
        guard string.contains("://") else {
            let escaped = value.replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: "'", with: "\\'")
            return "\(string) \(key)='\(escaped)'"
        }
        let encoded = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value
        return string + (string.contains("?") ? "&" : "?") + "\(key)=\(encoded)"
    }
}
