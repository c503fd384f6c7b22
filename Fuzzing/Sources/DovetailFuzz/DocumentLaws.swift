import Dovetail
import Foundation

private let layouts: [ModelFormat] = [
    .json, .json(pretty: true), .json(sortedKeys: true), .json(pretty: true, sortedKeys: true),
]

/// What is read as a document is written and read as an equal one, in the format it came in; and
/// in every other one, where that has a form for it.
func checkDocument(_ data: Data, as format: ModelFormat) {
    let read = value("reading a document") { try ModelDocument(decoding: data, as: format) }
    guard let document = read else { return }
    let isJSON = format == .json
    for form in isJSON ? layouts : [.plist, .binaryPlist] {
        // Property lists read repeated keys and control characters, and do not write them.
        guard let once = written("a document", { try document.encoded(as: form) }) else {
            if isJSON { broken("every document of JSON is written") }
            continue
        }
        let again = must("what is written is read", once.text) {
            try ModelDocument(decoding: once, as: form)
        }
        if again != document { broken("decode(encode(x)) == x", form.name, once.text) }
        if again.hashValue != document.hashValue { broken("equal documents hash alike", once.text) }
        let twice = must("what was written is written again") { try again.encoded(as: form) }
        if twice != once { broken("writing is stable", form.name, once.text, twice.text) }
    }
    if isJSON { checkPropertyLists(document) } else { checkJSON(document) }
}

/// A document of JSON means the same in both forms of property lists.
private func checkPropertyLists(_ document: ModelDocument) {
    for form in [ModelFormat.plist, .binaryPlist] {
        guard let list = written("JSON as property list", { try document.encoded(as: form) })
        else { continue }
        let again = must("a property list is read", list.text) {
            try ModelDocument(decoding: list, as: form)
        }
        if again != document { broken("JSON means the same as \(form.name)", again, document) }
    }
}

/// A property list can be written as JSON, unless a number or a date has no form there; reading
/// and writing that gives the same text.
private func checkJSON(_ document: ModelDocument) {
    guard let json = written("property list as JSON", { try document.encoded(as: .json) }) else {
        return
    }
    let again = must("what is written is read", json.text) {
        try ModelDocument(decoding: json, as: .json)
    }
    let twice = must("what was written is written again") { try again.encoded(as: .json) }
    if twice != json { broken("writing is stable", json.text, twice.text) }
}
