public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What carries a request to a backend and the answer back: ``URLSessionTransport``, or a fake in
/// a test.
///
/// A transport knows nothing of models, status codes or retries; ``RemoteSession`` does.
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
    /// - Throws: `CancellationError`, ``RemoteError``, or another error, which the session reports
    ///   as ``RemoteError/Kind/timedOut`` when it is `URLError.timedOut` and as
    ///   ``RemoteError/Kind/connectionFailed`` otherwise.
    func send(
        _ request: URLRequest,
        upTo maximumBytes: Int
    ) async throws -> (Data, HTTPURLResponse)
}
