// swift-format-ignore-file: NeverForceUnwrap
// A predicate with `as!` ends no program in a store.

import Foundation

/// Predicates that the toolchain's `#Predicate` makes, as this file does not import Dovetail, with the
/// number of those for which each holds in ``ToolchainProtocolTests``.
enum ToolchainMedia {
    static let predicates: [(Predicate<any Medium>, Int)] = [
        (#Predicate { $0.name == "a" }, 2),
        (#Predicate { $0 is Photo }, 2),
        (#Predicate { !($0 is Photo) && $0.size > 5 }, 1),
        (#Predicate { (($0 as? Photo)?.width ?? 0) > 100 }, 1),
        (#Predicate { ($0 as? Photo).flatMap { $0.width > 100 } ?? true }, 3),
        (#Predicate { if let photo = $0 as? Photo { photo.width > 100 } else { $0.size > 5 } }, 2),
        (#Predicate { $0 is Clip && ($0 as! Clip).seconds > 1 }, 1),
        (#Predicate { ($0 as? Clip) != nil }, 1),
    ]
}
