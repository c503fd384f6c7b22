package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

extension URLRequest {
    /// The header fields that prove who is asking; in lower case.
    static let credentialFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "cookie2",
    ]

    /// The request that follows a redirect, without its credentials unless it goes to where
    /// `original` went (RFC 9110, 15.4).
    ///
    /// Foundation copies every header field of the request before, whichever host comes next. So a
    /// redirect back to the first host does not restore them: the request before has none any more,
    /// and the host in the middle chose the path.
    ///
    /// - Parameter original: The URL of the first request, before any redirect.
    package func redirected(from original: URL?) -> URLRequest {
        guard let original, let url, !url.mayHaveCredentials(of: original) else { return self }
        var stranger = self
        for field in (allHTTPHeaderFields ?? [:]).keys
        where Self.credentialFields.contains(field.lowercased()) {
            stranger.setValue(nil, forHTTPHeaderField: field)
        }
        return stranger
    }
}

extension URL {
    /// Whether what was meant for `original` may be sent here: the same host, scheme and port, or
    /// the step from `http` to `https` on their own ports, which shows nobody more than before.
    fileprivate func mayHaveCredentials(of original: URL) -> Bool {
        guard let host = host()?.lowercased(), host == original.host()?.lowercased(),
            let scheme = scheme?.lowercased(), let before = original.scheme?.lowercased()
        else { return false }
        if scheme == before { return effectivePort == original.effectivePort }
        return before == "http" && scheme == "https" && original.effectivePort == 80
            && effectivePort == 443
    }

    private var effectivePort: Int? {
        if let port { return port }
        switch scheme?.lowercased() {
        case "http": return 80
        case "https": return 443
        default: return nil
        }
    }
}
