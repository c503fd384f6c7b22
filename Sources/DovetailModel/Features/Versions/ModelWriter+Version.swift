extension ModelWriter {
    /// Writes the model's version as a field of its object; a row has none. Called by generated
    /// code right after the start of the object and its type key, so that readers find it at once.
    public mutating func writeVersion(_ version: Int) throws {
        if destination == .row { return }
        beginField("\"$version\":")
        try write(version)
        endField()
    }
}
