// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dovetail

/// Who keeps assets: a protocol whose conformers are in several modules.
@ModelProtocol public protocol AssetKeeper: AnyObject {
    var name: String { get set }
}

@Model public final class StudioKeeper: AssetKeeper {
    public var name: String

    public init(name: String) { self.name = name }
}
