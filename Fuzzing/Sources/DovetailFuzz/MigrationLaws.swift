import Dovetail
import Foundation

/// The laws of older documents: the input as a list of models of several versions, in every format.
func checkMigrations(_ data: Data) {
    let relics = value("reading relics") { try [any Relic](decoding: data, as: .json) }
    if let relics {
        checkMeaning(
            .json,
            write: { try relics.encoded(as: $0) },
            rewrite: { try [any Relic](decoding: $0, as: $1).encoded(as: $2) }
        )
    }
    guard let list = try? ModelDocument(decoding: data, as: .json) else {
        if relics != nil { broken("what is read as models is a document", data.text) }
        return
    }
    // Of a list every element is kept, whatever it is.
    if let elements = list.arrayValue, let relics, relics.count != elements.count {
        broken("elements are kept", data.text, relics.count)
    }
    checkSteps(data, as: .json)
    for form in [ModelFormat.plist, .binaryPlist] {
        guard let data = written("JSON as property list", { try list.encoded(as: form) }) else {
            continue
        }
        _ = value("reading relics") { try [any Relic](decoding: data, as: form) }
        checkSteps(data, as: form)
    }
}

/// A model is read as if the steps had changed the document before.
private func checkSteps(_ data: Data, as format: ModelFormat) {
    let document = must("a document is read", data.text) {
        try ModelDocument(decoding: data, as: format)
    }
    let read = value("reading anything") { try [Anything](decoding: data, as: format) }
    guard let elements = document.arrayValue else {
        if read != nil { broken("only a list is read as one", data.text) }
        return
    }
    guard let read else {
        if elements.allSatisfy({ $0.kind == .object && $0["$version"] == nil }),
            !data.text.contains("[[[[[[[[[[[[[["), !data.text.contains("$version")
        {
            broken("any object is migrated", format.name, data.text)
        }
        return
    }
    for (element, model) in zip(elements, read) {
        var expected = element
        let version = expected.remove(#"["$version"]"#)?.intValue ?? 1
        if version < 2 { Anything.migrate(&expected) }
        let found = ModelDocument.object(model.unknownFields.members)
        if found != expected {
            broken("migrated like a document", format.name, data.text, found, expected)
        }
    }
}
