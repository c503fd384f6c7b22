import Dovetail
import Foundation

/// The laws of older documents: the input as a list of models of several versions, in every format.
func checkMigrations(_ data: Data) {
    let relics = value("reading relics") { try [any Relic](decoding: data, as: .json) }
    if let relics { checkMeaning(relics) }
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

/// What was read is written and read as the same; numbers that are kept may be spelled otherwise.
private func checkMeaning(_ relics: [any Relic]) {
    let json = must("every list of JSON is written") { try relics.encoded(as: .json) }
    let document = must("what is written is a document", json.text) {
        try ModelDocument(decoding: json, as: .json)
    }
    for form in [ModelFormat.json, .plist, .binaryPlist] {
        guard let once = written("relics", { try relics.encoded(as: form) }) else { continue }
        let again = must("what is written is read", form.name, once.text) {
            try [any Relic](decoding: once, as: form)
        }
        let twice = must("what was read is written", form.name, once.text) {
            try again.encoded(as: form)
        }
        if twice != once { broken("decode(encode(x)) == x", form.name, once.text, twice.text) }
        let meant = must("\(form.name) means the same as JSON", once.text) {
            try ModelDocument(decoding: again.encoded(as: .json), as: .json)
        }
        if meant != document { broken("\(form.name) means the same", "\(meant)", json.text) }
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
