/// What a ``ConnectionPool`` keeps. One thread uses it at a time, which need not be the one that opened it.
protocol PooledConnection: AnyObject, SendableMetatype {
    /// Whether it can be lent to somebody: it is free, and the other side has not ended it, as far as that can
    /// be seen without waiting. Asked each time it is lent.
    var isUsable: Bool { get }
    /// Whether no answer is missing and no transaction is open. Asked each time it is given back, and asks
    /// nobody: a call of the system costs a fiftieth of a fetch by key.
    var isFree: Bool { get }
    /// Asks the server, and waits for its answer for as long as is sensible. Asked when nobody has used it
    /// for long.
    func isAlive() -> Bool
    /// Ends it. Called once, as the last thing.
    func close()
    /// Whether an error of opening one may pass, as that of a server that is starting; not so that of a
    /// wrong password.
    static func mayPass(_ error: any Error) -> Bool
}
