/// What a save promises when the machine loses power. When only the program ends, whatever way, every
/// save that returned is there.
public enum StoreDurability: Sendable {
    /// The last saves before the loss of power may be missing, never a part of one, and the database
    /// stays whole. `PRAGMA synchronous = NORMAL` in WAL mode
    /// (https://sqlite.org/pragma.html#pragma_synchronous).
    case normal
    /// Every save that returned is there. Each one waits until the disk has it, so saves of a few
    /// rows take a multiple of the time. `PRAGMA synchronous = FULL`.
    case full
}
