import DovetailSyntax

/// Writes what a model of a version above 1 does before it is read: older documents are migrated,
/// and the migrated one is read by the same body as a current one.
struct VersionSource {
    let model: ModelDeclaration

    var isVersioned: Bool { model.knownVersion > 1 }

    /// The head of the initializer that reads a document of the model's own version.
    var currentHead: String {
        isVersioned
            ? "private init(_current reader: inout Dovetail::ModelReader) throws"
            : "\(model.access)init(modelValue reader: inout Dovetail::ModelReader) throws"
    }

    /// The initializer that asks for the version.
    var reading: String {
        let arguments =
            "than: \(model.knownVersion), readsNewer: \(model.readsNewer), of: Self.self"
        let condition =
            model.isClass && !model.modelParameters.isEmpty
            ? " where " + model.requirements.joined(separator: ", ") : ""
        return """
            \(model.access)\(model.isClass ? "convenience " : "")init(modelValue reader: inout Dovetail::ModelReader) throws\(condition) {
            if let version = try reader.olderVersion(\(arguments)) {
            var migration = try reader.migrate(Self.self, from: version)
            do { try self.init(_current: &migration.reader) } catch { throw reader.placed(error, by: migration) }
            } else {
            try self.init(_current: &reader)
            }
            }
            """
    }

    /// The branch of the loop over the fields that meets the version.
    var branches: [(name: String, body: String)] {
        guard model.knowsVersion else {
            return isVersioned ? [("$version", "try reader.skipValue()")] : []
        }
        return [("$version", "try reader.skipVersion(\(model.knownVersion), of: Self.self)")]
    }

    /// Writes the version behind the start of the object.
    var writing: String {
        isVersioned ? "try writer.writeVersion(\(model.knownVersion))\n" : ""
    }
}
