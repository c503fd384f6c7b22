import DovetailSyntax

/// Writes what a model of a version above 1 does with the version of its documents: the reader
/// enters an older object as one of the model's version, so there is one body for both.
struct VersionSource {
    let model: ModelDeclaration

    var isVersioned: Bool { model.knownVersion > 1 }

    /// The call that enters the model's object.
    var beginning: String {
        guard isVersioned else { return "try reader.beginObject()" }
        return "try reader.beginObject(version: \(model.knownVersion), "
            + "readsNewer: \(model.readsNewer), of: Self.self)"
    }

    /// The branch of the loop over the fields that meets the version.
    var branches: [KeySwitch.Branch] {
        guard model.knowsVersion else {
            return isVersioned ? [.init("$version", "try reader.skipValue()")] : []
        }
        return [.init("$version", "try reader.skipVersion(\(model.knownVersion), of: Self.self)")]
    }

    /// Writes the version after the start of the object.
    func writeWriting(to source: inout SourceText) {
        if isVersioned { source.line("try writer.writeVersion(\(model.knownVersion))") }
    }
}
