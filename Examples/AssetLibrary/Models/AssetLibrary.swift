// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dovetail

@Model
public struct AssetGroup {
    public var name: String
    public var assets: [any Asset] = []
}

/// Assets in groups, and groups in domains.
@Model(naming: .snakeCase)
public struct AssetLibrary {
    public var domains: [String: [AssetGroup]] = [:]
    @Attribute(name: "created_on") public var createdAt: Date

    public init(createdAt: Date) {
        self.createdAt = createdAt
    }

    /// Adds an asset to a group; the domain and the group are made when they are missing.
    public mutating func addAsset(_ domain: String, group name: String, asset: any Asset) {
        var groups = domains[domain] ?? []
        if let index = groups.firstIndex(where: { $0.name == name }) {
            groups[index].assets.append(asset)
        } else {
            groups.append(AssetGroup(name: name, assets: [asset]))
        }
        domains[domain] = groups
    }

    /// The asset at `asset://domain/group/name`, nil when there is none.
    public func fetchAsset(_ address: String) -> (any Asset)? {
        let scheme = "asset://"
        guard address.hasPrefix(scheme) else { return nil }
        let parts = address.dropFirst(scheme.count).split(separator: "/", maxSplits: 2)
        guard parts.count == 3 else { return nil }
        let group = domains[String(parts[0])]?.first { $0.name == parts[1] }
        return group?.assets.first { $0.name == parts[2] }
    }
}
