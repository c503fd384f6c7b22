import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The requests of one `URLSession` that are under way, each until its continuation is resumed.
///
/// ``URLSessionTransport`` owns it and makes it the delegate of its session, which calls it on a
/// queue of its own. An exchange ends when it is removed from the table, whoever removes it first:
/// the delegate, the limit or the cancellation. Whoever removes it resumes its continuation, so
/// that happens exactly once. What arrives for it later is ignored.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
    /// What becomes of a request.
    enum Outcome: Sendable {
        case answer(Data, HTTPURLResponse)
        /// It is to be sent again in this form.
        case redirect(URLRequest)
    }

    typealias Continuation = CheckedContinuation<Outcome, any Error>

    /// A request that waits for its answer, and the body so far.
    private struct Exchange {
        let continuation: Continuation
        let maximumBytes: Int
        var body = Data()
        /// What the request becomes after this answer.
        var redirected: URLRequest?
    }

    /// By task identifier, which is unique within the session.
    ///
    /// A redirect is answered under its lock, and only while the request is there, so not after a task was
    /// cancelled: Foundation on Linux ends the program then
    /// (<https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/FoundationNetworking/URLSession/HTTP/HTTPURLProtocol.swift>).
    private let running = Mutex<[Int: Exchange]>([:])

    /// Enters the exchange into the table, then starts the task: its first event finds it there.
    func start(_ task: URLSessionTask, upTo maximumBytes: Int, _ continuation: Continuation) {
        running.withLock {
            $0[task.taskIdentifier] = Exchange(
                continuation: continuation,
                maximumBytes: maximumBytes
            )
        }
        task.resume()
    }

    /// Ends the exchange with a `CancellationError`, unless it has ended.
    func cancel(_ task: URLSessionTask) { abandon(task, throwing: CancellationError()) }

    /// Answers the caller at once, and lets the session clean up afterwards.
    private func abandon(_ task: URLSessionTask, throwing error: any Error) {
        guard let exchange = remove(task) else { return }
        exchange.continuation.resume(throwing: error)
        // On a thread of its own: `cancel` waits for the session's queue on Linux, and a
        // cancellation handler runs under the lock of the Swift task, which that queue may be
        // waiting for (https://github.com/swiftlang/swift-corelibs-foundation/issues/5412).
        DispatchQueue.global().async { task.cancel() }
    }

    /// The exchange, for the one caller that removes it; nil for all others.
    private func remove(_ task: URLSessionTask) -> Exchange? {
        running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    /// Ends the exchange with what came, or with `error`.
    private func finish(_ task: URLSessionTask, _ error: (any Error)?) {
        guard let exchange = remove(task) else { return }
        if let error {
            exchange.continuation.resume(throwing: error)
        } else if let redirected = exchange.redirected {
            exchange.continuation.resume(returning: .redirect(redirected))
        } else if let response = task.response as? HTTPURLResponse {
            exchange.continuation.resume(returning: .answer(exchange.body, response))
        } else {
            exchange.continuation.resume(throwing: failure(.notHTTP, of: task))
        }
    }

    /// An error of ours about the request of a task.
    private func failure(_ kind: RemoteError.Kind, of task: URLSessionTask) -> any Error {
        guard let request = task.originalRequest, let url = request.url else {
            return URLError(.badURL)
        }
        return RemoteError(kind, method: request.httpMethod ?? "GET", url: url)
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var redirected = request.redirected(from: task.originalRequest?.url)
        #if canImport(FoundationNetworking)
            // Whoever keeps the method keeps the content (RFC 9110, 15.4). Foundation on Linux drops it, and
            // lets nobody set it here.
            if let original = task.originalRequest, let body = original.httpBody,
                original.httpMethod == request.httpMethod
            {
                redirected.httpBody = body
                return running.withLock { running in
                    guard running[task.taskIdentifier] != nil else { return }
                    running[task.taskIdentifier]?.redirected = redirected
                    completionHandler(nil)
                }
            }
        #endif
        let next = redirected
        running.withLock { running in
            if running[task.taskIdentifier] != nil { completionHandler(next) }
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let exceeded: Int? = running.withLock { running in
            guard let index = running.index(forKey: dataTask.taskIdentifier) else { return nil }
            // In place: a copy of the exchange would copy the body with every piece.
            let limit = running.values[index].maximumBytes
            guard data.count <= limit - running.values[index].body.count else { return limit }
            running.values[index].body.append(data)
            return nil
        }
        if let exceeded {
            abandon(dataTask, throwing: failure(.tooLarge(limit: exceeded), of: dataTask))
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        finish(task, error)
    }

    #if canImport(FoundationNetworking)
        /// A 401 that asks for a password. Foundation on Linux never completes such a task by
        /// itself (<https://github.com/swiftlang/swift-corelibs-foundation/issues/5456>). Its body
        /// has been received by now, so it is delivered like every other status code.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (
                    URLSession.AuthChallengeDisposition, URLCredential?
                ) -> Void
        ) {
            finish(task, nil)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    #endif
}
