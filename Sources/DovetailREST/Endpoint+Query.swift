extension Endpoint {
    /// The query of a request: names and values in the order in which they were written.
    ///
    /// Values may be of different types, `nil` leaves the parameter out, and a name may occur more
    /// than once, which is how most backends take a list:
    ///
    /// ```swift
    /// ["limit": 100, "sort": "name", "after": lastSeen, "tag": "new", "tag": "red"]
    /// ```
    public struct Query: Hashable, Sendable {
        /// One `name=value` of a query, as plain text.
        public struct Item: Hashable, Sendable {
            /// The parameter's name.
            public let name: String
            /// The parameter's value, as ``URLQueryValue/queryText`` gives it.
            public let value: String
        }

        /// The parameters in the order in which they are sent.
        public private(set) var items: [Item] = []

        /// An empty query.
        public init() {}

        /// Adds a parameter at the end; `nil` adds nothing.
        ///
        /// ```swift
        /// var query: Endpoint.Query = ["limit": 100]
        /// for tag in ["new", "red"] { query.append("tag", tag) }   // ?limit=100&tag=new&tag=red
        /// ```
        public mutating func append(_ name: String, _ value: (any URLQueryValue)?) {
            guard let value else { return }
            items.append(Item(name: name, value: value.queryText))
        }
    }
}

extension Endpoint.Query: ExpressibleByDictionaryLiteral {
    /// The query that a literal spells; parameters whose value is `nil` are left out.
    public init(dictionaryLiteral elements: (String, (any URLQueryValue)?)...) {
        for (name, value) in elements { append(name, value) }
    }
}
