import Dovetail
import Foundation
import TestAssets

/// The document as a list of each protocol: every form of tagging, inherited, and with integers.
func checkEveryTagging(_ data: Data) {
    check(data, { try [any Asset](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
    check(data, { try [any FileAsset](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
    check(data, { try [any Vehicle](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
    check(data, { try [any BesideVehicle](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
    check(data, { try [any BesideCar](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
    check(data, { try [any AroundVehicle](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
    check(data, { try [any AroundCar](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
    check(data, { try [any InsideAgain](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
    check(data, { try [any NumberedVehicle](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
    check(data, { try [any NumberedBeside](decoding: $0, as: $1) }, { try $0.encoded(as: $1) })
}

private func check<Element>(
    _ data: Data,
    _ read: (Data, ModelFormat) throws -> [Element],
    _ write: ([Element], ModelFormat) throws -> Data
) {
    guard let elements = value("reading [\(Element.self)]", { try read(data, .json) }) else {
        return
    }
    checkMeaning(
        .json,
        write: { try write(elements, $0) },
        rewrite: { try write(read($0, $1), $2) }
    )
}
