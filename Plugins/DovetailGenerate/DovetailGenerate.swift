import PackagePlugin

/// Writes the declarations of Dovetail's `#Predicate` and `#Expression` into a target, so that they are
/// taken there and not Foundation's, and checks the target's models together.
///
/// ```swift
/// .target(
///     name: "Shop", dependencies: ["Dovetail"],
///     plugins: [.plugin(name: "DovetailGenerate", package: "Dovetail")]
/// )
/// ```
@main struct DovetailGenerate: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let sources = module.sourceFiles(withSuffix: "swift").map(\.url)
        let output = context.pluginWorkDirectoryURL.appending(path: "Dovetail.generated.swift")
        return [
            .buildCommand(
                displayName: "Reading the models of \(target.name)",
                executable: try context.tool(named: "DovetailGenerator").url,
                arguments: [output.path()] + sources.map { $0.path() },
                inputFiles: sources,
                outputFiles: [output]
            )
        ]
    }
}
