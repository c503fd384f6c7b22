extension Endpoint {
    /// A request method: case-sensitive, and open to methods that are not listed here.
    ///
    /// RFC 9110, 9.1; the registered ones are at <https://www.iana.org/assignments/http-methods>.
    public struct Method: RawRepresentable, Hashable, Sendable {
        /// The method as it is sent.
        public let rawValue: String

        /// A method by its name. What is not a token of RFC 9110, 5.6.2 is refused when the request
        /// is built.
        ///
        /// ```swift
        /// Endpoint(Endpoint.Method(rawValue: "REPORT"), "calendars/7")     // REPORT …/calendars/7
        /// ```
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Reads a resource and changes nothing; has no body.
        public static let get = Method(rawValue: "GET")
        /// Like ``get``, answered without a body.
        public static let head = Method(rawValue: "HEAD")
        /// Hands the body to a resource, most often to create something below it.
        public static let post = Method(rawValue: "POST")
        /// Replaces a resource by the body.
        public static let put = Method(rawValue: "PUT")
        /// Changes a part of a resource.
        public static let patch = Method(rawValue: "PATCH")
        /// Removes a resource.
        public static let delete = Method(rawValue: "DELETE")
    }
}
