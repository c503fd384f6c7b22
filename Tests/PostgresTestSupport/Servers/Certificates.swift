import Foundation
package import Testing

/// Certificates that a test makes with `openssl`: an authority, and whatever it signs. They end with the
/// value.
package final class Certificates: Sendable {
    private let folder: TemporaryFolder
    private let name: String

    /// The program; nil where it is not installed.
    package static let program: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Makes an authority.
    package init(name: String = "authority") throws {
        self.name = name
        folder = try TemporaryFolder()
        try PostgresPrograms.own(folder.url)
        try Self.run(
            ["req", "-x509", "-subj", "/CN=\(name)", "-days", "2"] + Self.newKey(key(name))
                + ["-out", certificate(name)]
        )
    }

    /// The authority's own certificate, for whoever trusts it.
    package var authority: String { certificate(name) }

    /// The file of a certificate.
    package func certificate(_ name: String) -> String { folder.file("\(name).crt").path }

    /// The file of the key of a certificate, which only its owner reads.
    package func key(_ name: String) -> String { folder.file("\(name).key").path }

    /// Signs a certificate.
    ///
    /// - Parameters:
    ///   - name: The name of its files and of its subject.
    ///   - host: The host that it is for.
    ///   - days: How long it is valid; less than zero for one that has expired.
    package func sign(_ name: String, host: String = "localhost", days: Int = 2) throws {
        let request = folder.file("\(name).csr").path
        try Self.run(
            ["req", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(host)"]
                + Self.newKey(key(name)) + ["-out", request]
        )
        try Self.run([
            "x509", "-req", "-in", request, "-CA", authority, "-CAkey", key(self.name),
            "-CAcreateserial", "-days", "\(days)", "-copy_extensions", "copyall",
            "-out", certificate(name),
        ])
        guard chmod(key(name), 0o600) == 0 else { throw SocketError("chmod") }
    }

    private static func newKey(_ file: String) -> [String] {
        [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file,
        ]
    }

    private static func run(_ arguments: [String]) throws {
        try PostgresPrograms.run(program ?? "openssl", arguments)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test that makes certificates where there is no `openssl`.
    package static var needsOpenSSL: Self {
        .enabled(if: Certificates.program != nil, "no openssl")
    }
}
