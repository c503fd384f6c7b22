import DovetailStore
import Foundation

extension ModelConfiguration {
    /// Which programs share the folder of a configuration's file.
    ///
    /// ```swift
    /// let shared = ModelConfiguration(groupContainer: .identifier("group.com.example.shop"))
    /// shared.url      // ~/.local/share/group.com.example.shop/default.sqlite
    /// ```
    public enum GroupContainer: Hashable, Sendable {
        /// The program alone. There are no entitlements here that could name a group.
        case automatic
        /// The program alone.
        case none
        /// All programs of one user that name the group. Its name is that of the folder, and has no
        /// slash.
        case identifier(String)

        /// The folder, which need not exist. The environment is read at each call, so it counts as it
        /// is when the configuration is made.
        var folder: URL {
            #if canImport(Darwin)
                if case .identifier(let group) = self,
                    let folder = FileManager.default.containerURL(
                        forSecurityApplicationGroupIdentifier: group
                    )
                {
                    return folder
                }
                let base = URL.applicationSupportDirectory
            #else
                let environment = ProcessInfo.processInfo.environment
                let base =
                    environment["XDG_DATA_HOME"].map { URL(fileURLWithPath: $0) }
                    ?? URL.homeDirectory.appendingPathComponent(".local/share")
            #endif
            return base.appendingPathComponent(identifier ?? ProcessInfo.processInfo.processName)
        }

        /// The group's name; nil for a program alone.
        var identifier: String? {
            if case .identifier(let group) = self { group } else { nil }
        }
    }

    /// What a configuration asks of CloudKit. There is none outside of Apple's systems: the value is
    /// kept, and nothing is synchronized.
    public enum CloudKitDatabase: Hashable, Sendable {
        /// The database of the program's entitlements.
        case automatic
        /// No database.
        case none
        /// The private database of a container, by the container's name.
        case `private`(String)
    }

    /// The name of the group that shares the folder; nil for a program alone.
    public var groupAppContainerIdentifier: String? { groupContainer.identifier }

    /// The name of the CloudKit container that was asked for; nil without one.
    public var cloudKitContainerIdentifier: String? {
        if case .private(let container) = cloudKitDatabase { container } else { nil }
    }

    /// Refuses names that lead to another folder.
    ///
    /// - Throws: ``StoreError`` of kind `cannotOpen`.
    func checkNames() throws {
        for name in [name, groupAppContainerIdentifier ?? "group"] {
            guard name.isEmpty || name == "." || name == ".." || name.contains("/") else {
                continue
            }
            throw StoreError(
                .cannotOpen,
                location: url.path,
                explanation: "the name of a configuration or a group is no name of a file; "
                    + "use ModelConfiguration(url:) for another folder"
            )
        }
    }
}

extension ModelConfiguration: Hashable, Identifiable {
    /// The configuration itself.
    public var id: Self { self }

    /// Whether both are for the same models in the same place, and may do the same. How the database
    /// is worked with, such as `trace` and `durability`, does not count.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.url == right.url && left.schema == right.schema
            && left.isStoredInMemoryOnly == right.isStoredInMemoryOnly
            && left.allowsSave == right.allowsSave
            && left.groupContainer == right.groupContainer
            && left.cloudKitDatabase == right.cloudKitDatabase
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(url)
        hasher.combine(schema)
    }
}
