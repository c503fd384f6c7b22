public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What carries a request to a backend and the answer back: ``URLSessionTransport``, or a fake in a
/// test.
///
/// ```swift
/// struct Canned: RemoteTransport {
///     let body: Data
///     func send(
///         _ request: URLRequest, upTo maximumBytes: Int
///     ) async throws -> (Data, HTTPURLResponse) {
///         guard let url = request.url,
///             let response = HTTPURLResponse(
///                 url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
///         else { throw URLError(.badURL) }
///         return (body, response)
///     }
/// }
/// ```
///
/// On Linux this needs `import FoundationNetworking`.
///
/// A transport knows nothing of models and status codes: ``RemoteSession`` judges the answer.
/// Neither sends a request again after an error.
public protocol RemoteTransport: Sendable {
    /// Sends the request and collects the whole answer, whatever its status code.
    ///
    /// When the calling task is cancelled, the request is given up and the call throws.
    ///
    /// - Parameters:
    ///   - request: The request. Its `timeoutInterval` is the longest wait without a byte, in
    ///     seconds.
    ///   - maximumBytes: The largest body the caller takes. A transport that receives a body piece
    ///     by piece should stop there with ``RemoteError/Kind/tooLarge(limit:)``; the session
    ///     refuses a larger body in any case.
    /// - Throws: `CancellationError`; ``RemoteError``, which the session passes on; or any other
    ///   error. The session reports `URLError.timedOut` as ``RemoteError/Kind/timedOut`` and
    ///   everything else as ``RemoteError/Kind/connectionFailed``.
    func send(
        _ request: URLRequest,
        upTo maximumBytes: Int
    ) async throws -> (Data, HTTPURLResponse)
}
