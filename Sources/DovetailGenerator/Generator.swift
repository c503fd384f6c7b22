import Foundation
import SwiftParser
import SwiftSyntax

/// The program behind the plugin `DovetailGenerate`: reads the sources of a module, writes the
/// declarations that belong into it, and checks what one macro cannot see, because it sees one
/// declaration at a time.
///
/// ```
/// DovetailGenerator Dovetail.generated.swift Models.swift main.swift
/// ```
///
/// Problems are printed in the compiler's form, so that an editor shows them at their places.
@main struct Generator {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first else {
            return stop(with: ["usage: DovetailGenerator output.swift source.swift …"])
        }
        var module = ModuleModels()
        for path in arguments.dropFirst() {
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            module.read(Parser.parse(source: text), at: path)
        }
        let problems = module.problems
        guard problems.isEmpty else { return stop(with: problems.map(\.description)) }
        try Data(MacroDeclarations(without: module.declaredMacros).text.utf8)
            .write(to: URL(filePath: output), options: .atomic)
    }

    private static func stop(with lines: [String]) {
        FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
        exit(1)
    }
}
