public import Dovetail
import DovetailPostgres

/// Where an example keeps its models, as its first argument says: a file of SQLite, a server
/// (`postgresql://…`), or nothing for memory.
public func chosenStore(default file: String? = nil) -> any DataStoreConfiguration {
    guard let place = CommandLine.arguments.dropFirst().first ?? file else {
        return MemoryConfiguration()
    }
    if place.hasPrefix("postgresql://") { return PostgresConfiguration(place) }
    return ModelConfiguration(url: URL(fileURLWithPath: place).absoluteURL)
}
