import DovetailSyntax

/// Writes what a model does with the field `$version` of its documents.
///
/// The reader migrates an older object when it is entered, so the body of a model reads one version
/// only. A model of version 1 writes no version, and refuses a document of a newer one when it
/// meets the field.
///
/// For a model of version 3 these are three lines:
///
/// ```swift
/// var object = try reader.beginObject(version: 3, readsNewer: false, of: Self.self)
/// try reader.skipVersion(3, of: Self.self)    // in the branch for "$version"
/// try writer.writeVersion(3)                  // the first field
/// ```
struct VersionSource {
    let model: ModelDeclaration

    /// Whether the model is above version 1, so that the version is looked for before the object is
    /// read.
    var isVersioned: Bool { model.knownVersion > 1 }

    /// The call that enters the model's object.
    var beginning: String {
        guard isVersioned else { return "try reader.beginObject()" }
        return "try reader.beginObject(version: \(model.knownVersion), "
            + "readsNewer: \(model.readsNewer), of: Self.self)"
    }

    /// The branch of the loop over the fields for `$version`; none where the field is as any other.
    var branches: [KeySwitch.Branch] {
        guard model.knowsVersion else {
            return isVersioned ? [.init("$version", "try reader.skipValue()")] : []
        }
        return [.init("$version", "try reader.skipVersion(\(model.knownVersion), of: Self.self)")]
    }

    /// Writes the line that writes the version, the first field of the object.
    func writeWriting(to source: inout SourceText) {
        if isVersioned { source.line("try writer.writeVersion(\(model.knownVersion))") }
    }
}
