extension Schema {
    /// The version of a schema: three numbers, of which the first counts most.
    ///
    /// ```swift
    /// Schema.Version(1, 2, 0) < Schema.Version(1, 10, 0)      // true
    /// print(Schema.Version(1, 2, 0))                          // 1.2.0
    /// ```
    ///
    /// It is a name for a set of models, and compared with other names only: what a model looks like
    /// is what its own `@Model(version:)` counts.
    public struct Version: Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
        /// The number that counts most.
        public let major: Int
        /// The number that counts where the first ones are equal.
        public let minor: Int
        /// The number that counts where the first two are equal.
        public let patch: Int

        /// Makes a version of three numbers.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            self.major = major
            self.minor = minor
            self.patch = patch
        }

        /// Compares the first number, then the second one, then the third one.
        public static func < (left: Version, right: Version) -> Bool {
            (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
        }

        /// The numbers with dots between them, such as `1.2.0`.
        public var description: String { "\(major).\(minor).\(patch)" }
    }

    /// The version of the form in which schemas are described, 1.0.0.
    public var encodingVersion: Version { Version(1, 0, 0) }
}
