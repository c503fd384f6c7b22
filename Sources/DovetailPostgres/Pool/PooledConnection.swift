/// What a ``ConnectionPool`` keeps. One thread uses it at a time, which need not be the one that opened it.
protocol PooledConnection: AnyObject, SendableMetatype {
    /// Whether it can be lent to somebody: no answer is missing, no transaction is open, and the other
    /// side has not ended it, as far as that can be seen without waiting. Asked each time it is lent and
    /// given back.
    var isUsable: Bool { get }
    /// Asks the server, and waits for its answer for as long as is sensible. Asked when nobody has used it
    /// for long.
    func isAlive() -> Bool
    /// Ends it. Called once, as the last thing.
    func close()
    /// Whether an error of opening one may pass, as that of a server that is starting; not so that of a
    /// wrong password.
    static func mayPass(_ error: any Error) -> Bool
}
