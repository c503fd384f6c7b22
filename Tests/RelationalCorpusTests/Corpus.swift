import ChinookModels
import Dovetail
import NorthwindModels
import StoreTestSupport
import Testing

/// A database of the corpora: its models, and what is asked of it.
struct Corpus: Sendable, CustomTestStringConvertible {
    let name: String
    let tables: [any Model.Type]
    let views: [any Model.Type]
    let questions: [Question]
    /// How many rows all answers have, and those that stores of ours can give, too.
    let rows: (all: Int, ofOurs: Int)

    static let chinook = Corpus(
        name: "Chinook_Sqlite.sqlite",
        tables: chinookTables,
        views: [],
        questions: chinookQuestions + moreChinookQuestions,
        rows: (429, 421)
    )
    static let northwind = Corpus(
        name: "northwind.db",
        tables: northwindTables,
        views: northwindViews,
        questions: northwindQuestions + moreNorthwindQuestions,
        rows: (258, 229)
    )

    var testDescription: String { name }

    private func url() throws -> URL {
        try #require(SharedCorpora.folder).appendingPathComponent("relational/" + name)
    }

    /// The file, for SQL that was written by hand.
    func file() throws -> RawDatabase { try RawDatabase(url()) }

    /// The file as it is, opened to be read.
    func container(_ models: [any Model.Type]) throws -> ModelContainer {
        try ModelContainer(
            for: models,
            configuration: ModelConfiguration(url: url(), allowsSave: false)
        )
    }

    /// A context of the tables and views.
    func context() throws -> ModelContext { ModelContext(try container(tables + views)) }

    /// A context of a new store with the rows of the tables.
    func copy(to kind: StoreKind) async throws -> ModelContext {
        let copy = try kind.container(tables)
        try await container(tables).copy(to: copy)
        return ModelContext(copy)
    }
}

/// Both databases answer as SQL by hand answers: opened as others have made them, and in stores of ours.
@Suite(.needsCorpora) struct CorpusTests {
    @Test(arguments: [Corpus.chinook, .northwind])
    func `questions are answered as SQL answers them`(corpus: Corpus) throws {
        #expect(corpus.questions.count >= 20)
        let rows = try check(corpus.questions, of: corpus, with: corpus.context())
        #expect(rows == corpus.rows.all)
    }

    @Test(arguments: [Corpus.chinook, .northwind], StoreKind.allCases)
    func `the same rows in stores of ours answer alike`(
        corpus: Corpus,
        kind: StoreKind
    ) async throws {
        let context = try await corpus.copy(to: kind)
        let questions = corpus.questions.filter { !$0.isOfFile }
        #expect(try check(questions, of: corpus, with: context) == corpus.rows.ofOurs)
    }

    /// Asks questions, compares the rows with those of their SQL, and gives their number.
    private func check(
        _ questions: [Question],
        of corpus: Corpus,
        with context: ModelContext
    ) throws -> Int {
        let file = try corpus.file()
        return try questions.reduce(0) { rows, question in
            let answer = try file.rows(question.sql)
            #expect(!answer.isEmpty, "\(question.text)")
            let found = try question.answer(context)
            #expect(found == answer, "\(question.text)")
            return rows + answer.count
        }
    }
}
