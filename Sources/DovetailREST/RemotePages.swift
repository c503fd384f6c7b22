public import DovetailModel
import Foundation

extension Fetchable where Self: Model {
    /// The elements of a long list, page by page.
    ///
    /// ```swift
    /// for try await page in Product.pages(from: { Shop.products(limit: 100, offset: $0) }) {
    ///     …                          // GET …/products?limit=100&offset=0, then 100, 200, …
    /// }
    /// ```
    ///
    /// Nothing is asked before the first page is.
    ///
    /// - Parameters:
    ///   - route: The request for the page that begins at an offset, which is the number of
    ///     elements received so far.
    ///   - session: What the requests share.
    public static func pages<Route: Router>(
        from route: @escaping @Sendable (_ offset: Int) -> Route,
        using session: RemoteSession = .shared
    ) -> RemotePages<Self> {
        RemotePages(session: session, route: route)
    }
}

/// The pages of a long list, fetched one at a time and only when the next one is asked for.
///
/// The sequence ends at the first empty page, so a list of n elements in pages of k costs ⌈n / k⌉ +
/// 1 requests. One page and the body of the one before are in memory. Each iteration begins at
/// offset 0. An error ends the sequence as well, and so does the cancellation of the task.
///
/// A backend that ignores the offset would answer for ever. So an answer that equals the one before
/// it byte for byte is a ``RemoteError`` of kind ``RemoteError/Kind/repeatedPage``.
public struct RemotePages<Value: Model & Fetchable>: AsyncSequence, Sendable {
    /// One page; never empty.
    public typealias Element = [Value]

    let session: RemoteSession
    let route: @Sendable (Int) -> any Router

    /// An iterator that has asked for nothing yet.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    /// Counts the elements that have come, and asks for the page after them.
    public struct Iterator: AsyncIteratorProtocol {
        let pages: RemotePages
        private var offset = 0
        private var previousBody: Data?
        private var hasEnded = false

        init(pages: RemotePages) { self.pages = pages }

        /// The next page, or nil after the last one. Sends one request.
        ///
        /// - Throws: What ``Fetchable/fetchAll(_:using:)`` throws, and ``RemoteError`` of kind
        ///   ``RemoteError/Kind/repeatedPage``. After an error there are no more pages.
        public mutating func next() async throws -> [Value]? {
            try await next(isolation: nil)
        }

        /// The next page, or nil after the last one. Sends one request.
        ///
        /// - Throws: What ``Fetchable/fetchAll(_:using:)`` throws, and ``RemoteError`` of kind
        ///   ``RemoteError/Kind/repeatedPage``. After an error there are no more pages.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> [Value]? {
            guard !hasEnded else { return nil }
            hasEnded = true  // unless a page comes, since an error ends the sequence
            let response = try await pages.session.send(pages.route(offset))
            let page = try Value.array(in: response)
            guard !page.isEmpty else { return nil }
            if response.body == previousBody { throw RemoteError(.repeatedPage, response) }
            previousBody = response.body
            hasEnded = false
            offset += page.count
            return page
        }
    }
}
