import Dovetail
import Foundation

/// The laws of a model with a field of every kind.
func checkModel(_ data: Data, as format: ModelFormat) {
    let direct = value("reading a model") { try Everything(decoding: data, as: format) }
    checkSameThroughDocument(data, as: format, direct)
    guard let model = direct else { return }
    checkMeaning(
        format,
        write: { try model.encoded(as: $0) },
        rewrite: { try Everything(decoding: $0, as: $1).encoded(as: $2) }
    )
}

/// The one body of generated code does the same over the bytes and over a document.
private func checkSameThroughDocument(
    _ data: Data,
    as format: ModelFormat,
    _ direct: Everything?
) {
    // A binary property list is not checked where no model reads it, and JSON lacks some values.
    guard format == .json else { return }
    let document = try? ModelDocument(decoding: data, as: format)
    let through = document.flatMap { document in
        value("reading a model of a document") { try Everything(document) }
    }
    guard (through == nil) == (direct == nil) else {
        broken("a model is read like its document", through as Any, direct as Any)
    }
    guard let through, let direct else { return }
    let left = written("a model") { try through.encoded(as: .json) }
    let right = written("a model") { try direct.encoded(as: .json) }
    if left != right {
        broken("a model is read like its document", left?.text as Any, right?.text as Any)
    }
}

/// What was read is written and read as the same, in each format; `rewrite` reads in one format and
/// writes in another one.
func checkMeaning(
    _ format: ModelFormat,
    write: (ModelFormat) throws -> Data,
    rewrite: (Data, ModelFormat, ModelFormat) throws -> Data
) {
    let json = written("a model", { try write(.json) })
    if json == nil, format == .json { broken("every model of JSON is written") }
    for form in [ModelFormat.json, .plist, .binaryPlist] {
        guard let once = written("a model", { try write(form) }) else { continue }
        let twice = must("what is written is read and written", form.name, once.text) {
            try rewrite(once, form, form)
        }
        if twice != once {
            broken("decode(encode(x)) == x", form.name, once.text, twice.text)
        }
        guard let json else { continue }
        let meant = must("\(form.name) is written as JSON", once.text) {
            try rewrite(once, form, .json)
        }
        if meant != json { broken("\(form.name) means the same as JSON", meant.text, json.text) }
    }
}
