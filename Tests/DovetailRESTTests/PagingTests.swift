import Dovetail
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct PagingTests {
    /// A backend with a list of products, which answers `limit` and `offset`.
    private func backend(_ count: Int, atMost cap: Int = .max) -> FakeTransport {
        FakeTransport { request in
            let items = URLComponents(string: request.url?.absoluteString ?? "")?.queryItems ?? []
            func number(_ name: String) -> Int {
                items.first { $0.name == name }?.value.flatMap(Int.init) ?? 0
            }
            let first = min(number("offset"), count)
            let last = min(first + min(number("limit"), cap), count)
            let products = (first..<last).map { #"{"sku": "P\#($0)", "weight": \#($0)}"# }
            return .init("[" + products.joined(separator: ",") + "]")
        }
    }

    private func pages(of transport: FakeTransport, limit: Int = 10) -> RemotePages<Product> {
        Product.pages(
            from: { Shop.products(limit: limit, offset: $0) },
            using: RemoteSession(transport: transport)
        )
    }

    @Test(arguments: [
        (0, [0]), (1, [0, 1]), (9, [0, 9]), (10, [0, 10]), (11, [0, 10, 11]),
        (25, [0, 10, 20, 25]),
    ])
    func `every element comes once, in order`(count: Int, offsets: [Int]) async throws {
        let transport = backend(count)
        var weights: [Int] = []
        for try await page in pages(of: transport) { weights += page.map(\.weight) }
        #expect(weights == Array(0..<count))
        #expect(
            transport.urls
                == offsets.map { "http://www.example.com/api/products?limit=10&offset=\($0)" }
        )
    }

    @Test func `the offset counts what came, not what was asked for`() async throws {
        let transport = backend(7, atMost: 3)
        var sizes: [Int] = []
        for try await page in pages(of: transport) { sizes.append(page.count) }
        #expect(sizes == [3, 3, 1])
        #expect(transport.requests.count == 4)
    }

    @Test func `a page is fetched when it is asked for`() async throws {
        let transport = backend(100)
        let pages = pages(of: transport)
        #expect(transport.requests.isEmpty)
        var iterator = pages.makeAsyncIterator()
        _ = try await iterator.next()
        #expect(transport.requests.count == 1)
        for try await _ in pages { break }
        #expect(transport.urls.last?.hasSuffix("offset=0") == true)
        #expect(transport.requests.count == 2)
    }

    @Test func `the end stays the end`() async throws {
        let transport = backend(0)
        var iterator = pages(of: transport).makeAsyncIterator()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 1)
    }

    @Test func `an error ends the sequence after the pages before it`() async throws {
        let transport = FakeTransport { request in
            let isFirst = request.url?.query == "limit=10&offset=0"
            return isFirst ? .init(#"[{"sku": "a", "weight": 1}]"#) : .init("", status: 500)
        }
        var iterator = pages(of: transport).makeAsyncIterator()
        #expect(try await iterator.next()?.count == 1)
        let error = await #expect(throws: RemoteError.self) { try await iterator.next() }
        #expect(error?.kind == .status(500))
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [1, 10])
    func `the same page twice in a row is an error`(count: Int) async throws {
        let products = (0..<count).map { #"{"sku": "P\#($0)", "weight": \#($0)}"# }
        let transport = FakeTransport { _ in .init("[" + products.joined(separator: ",") + "]") }
        var iterator = pages(of: transport).makeAsyncIterator()
        #expect(try await iterator.next()?.count == count)
        let error = try await remoteError { try await iterator.next() }
        #expect(error.kind == .repeatedPage)
        #expect(error.url.query == "limit=10&offset=\(count)")
        #expect(error.description.contains("the page before came once more"))
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 2)
    }

    @Test func `a page may come again later`() async throws {
        let transport = FakeTransport { request in
            let offset = request.url?.query?.split(separator: "=").last.flatMap { Int($0) } ?? 0
            return .init(offset < 3 ? #"[{"sku": "\#(offset % 2)", "weight": 1}]"# : "[]")
        }
        var skus: [String] = []
        for try await page in pages(of: transport) { skus += page.map(\.sku) }
        #expect(skus == ["0", "1", "0"])
    }

    @Test func `cancellation ends it before the next request`() async {
        let transport = backend(1_000_000)
        let pages = pages(of: transport)
        let task = Task {
            for try await _ in pages where transport.requests.count == 2 {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.requests.count == 2)
    }

    @MainActor @Test func `pages can be read on an actor`() async throws {
        var count = 0
        for try await page in pages(of: backend(25)) { count += page.count }
        #expect(count == 25)
    }
}
