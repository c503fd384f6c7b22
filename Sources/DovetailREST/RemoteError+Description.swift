public import Foundation

extension RemoteError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What happened and where, in one line: `GET http://host/api/user/7: status 404`.
    ///
    /// The URL is shown without user, password and query, and no body is shown, so that the line
    /// can go into a log. But an error of the decoding quotes the value that it is about.
    public var description: String { "\(method) \(place): \(event)" }

    /// The description with the whole URL, the status, the content type and the first 200
    /// characters of the body.
    public var debugDescription: String {
        var lines = ["\(method) \(url.absoluteString): \(event)"]
        if let status { lines.append("status: \(status)") }
        if let contentType { lines.append("content type: \(contentType)") }
        if !body.isEmpty {
            let text = String(decoding: body, as: UTF8.self)
            lines.append("body: " + text.prefix(200).debugDescription)
        }
        return lines.joined(separator: "\n")
    }

    /// The URL without what may be secret: user, password and query.
    private var place: String {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
        parts.user = nil
        parts.password = nil
        let hasQuery = parts.query != nil
        parts.query = nil
        return (parts.string ?? "") + (hasQuery ? "?…" : "")
    }

    private var event: String {
        switch kind {
        case .invalidRequest: "invalid request: \(explanation)"
        case .connectionFailed: "connection failed: \(explanation)"
        case .timedOut: "timed out: \(explanation)"
        case .notHTTP: "the answer is not HTTP"
        case .status(let code): "status \(code)"
        case .tooLarge(let limit): "the body is larger than \(limit) bytes"
        case .undecodable: undecodable
        case .repeatedPage: "the page before came once more; is the offset ignored?"
        }
    }

    /// Names the content type where it is not JSON, which says more than the first wrong byte.
    private var undecodable: String {
        guard let contentType, !isJSON(contentType) else {
            return "undecodable body: \(explanation)"
        }
        return "expected JSON, got \(contentType): \(explanation)"
    }

    /// `application/json`, `text/json` or a suffix `+json` (RFC 6839, 3.1), parameters aside.
    private func isJSON(_ contentType: String) -> Bool {
        let type = contentType.lowercased().prefix { $0 != ";" }.trimmingCharacters(
            in: .whitespaces
        )
        return type.hasSuffix("/json") || type.hasSuffix("+json")
    }
}

extension RemoteError: LocalizedError {
    /// The ``description``, for code that shows any error by its `localizedDescription`.
    public var errorDescription: String? { description }
}
