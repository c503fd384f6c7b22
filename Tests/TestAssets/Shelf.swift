// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dovetail

/// Protocols whose conformers are in another module.
@ModelProtocol
public protocol ShelfItem {
    var title: String { get }
}

@ModelProtocol
public protocol FiledItem: ShelfItem, Sendable {
    var path: String { get }
}
