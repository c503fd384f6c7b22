import DovetailSyntax
import Foundation
import SwiftParser
import SwiftSyntax
import Testing

/// Every complaint that Problems.swift knows is made in one of the tables of these tests.
struct EveryProblemTests {
    /// The cases of `Problem` in its file.
    private func known() throws -> Set<String> {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Sources/DovetailSyntax/Problems.swift")
        let tree = Parser.parse(source: try String(contentsOf: file, encoding: .utf8))
        let problem = try #require(
            tree.statements.lazy.compactMap { $0.item.as(EnumDeclSyntax.self) }.first
        )
        let cases = problem.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
        return Set(cases.flatMap(\.elements).map(\.name.text))
    }

    @Test
    func `is reported in a test`() throws {
        let models =
            (ModelProblemTests.cases + VersionProblemTests.cases + ShardProblemTests.cases)
            .map(\.source)
            + ConditionTests.problems.map { "@Model " + $0.source }
            + CaseNameTests.cases.map { "@Model " + $0.source }
            + AttributeProblemTests.cases.map { "@Model struct A {\n\($0.members)\n}" }
            + AttributeProblemTests.fallbackCases.map { "@Model " + $0.source }
            + TableProblemTests.cases.map { "@Model struct A {\n\($0.members)\n}" }
            + TableProblemTests.tables.map(\.source)
            + (FlattenedProblemTests.cases + FlattenedProblemTests.models).map(\.source)
            + IndexProblemTests.cases.map { IndexProblemTests.model(with: $0.lists) }
        let places = IndexProblemTests.places.map(\.source)
        let protocols = ProtocolDeclarationTests.problems.map(\.source)
        let found =
            models.flatMap { readModel($0).names }
            + HierarchyProblemTests.sources.flatMap { readModel($0, isSubclass: true).names }
            + protocols.flatMap { readProtocol($0).names }
            + places.flatMap { readIndexPlace($0).names }
        let known = try known()
        #expect(!known.isEmpty)
        #expect(known.subtracting(found).sorted() == [])
        #expect(Set(found).subtracting(known).sorted() == [])
    }
}
