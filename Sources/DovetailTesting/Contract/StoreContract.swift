public import Dovetail

/// What every store has to do, as cases over one set of models: Dovetail's own tests run them on its
/// stores, and you run them on a store of yours.
///
/// ```swift
/// import DovetailTesting
/// import Testing
///
/// @Test(arguments: StoreContract.cases)
/// func `my store keeps the contract`(_ part: StoreContract.Case) async throws {
///     try await part.check { place in MyConfiguration(url: place.url) }
/// }
/// ```
///
/// What a store cannot do it says in `DataStore.capabilities`, each with a reason. The cases of such a
/// capability then check that its typed error comes instead: `unsupported` when a store is opened for
/// models that it cannot keep and when it has no backup, `historyDisabled`, and so on.
///
/// The cases use public API only and no test framework. All of them together take some seconds on a
/// store in memory.
public enum StoreContract {
    /// All cases. They are independent of each other and may run at once.
    public static let cases: [Case] =
        columnCases + writingCases + changeCases + constraintCases + referenceCases
        + generatedKeyCases + transactionCases + contextCases + predicateCases + textCases
        + orderCases + protocolCases + selectionCases + projectionCases + joinCases
        + markCases + synchronizeCases + concurrencyCases + interruptionCases + historyCases
        + persistenceCases + randomCases

    /// One case. Its description is the sentence that has to hold.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// The sentence, which no other case has.
        public let name: String
        private let body: @Sendable (ContractTrial) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (ContractTrial) async throws -> Void) {
            self.name = name
            self.body = body
        }

        /// The name.
        public var id: String { name }

        /// The name.
        public var description: String { name }

        /// Checks a store.
        ///
        /// ```swift
        /// try await part.check { _ in MemoryConfiguration() }
        /// ```
        ///
        /// - Parameters:
        ///   - seed: Repeats the random choices; by default `DOVETAIL_SEED` of the environment, or a
        ///     new one. The error says it.
        ///   - fileID: The place of the check in messages. Leave it out.
        ///   - line: The same.
        ///   - configuration: Says how a store at a place is opened. A case calls it several times:
        ///     with a new place for a store that has to be empty, and with one that was used before
        ///     to open the same store again, where the store has the capability `persistence`.
        /// - Throws: ``ContractViolation``.
        public func check(
            seed: UInt64? = nil,
            fileID: StaticString = #fileID,
            line: UInt = #line,
            _ configuration: @escaping @Sendable (Place) throws -> any DataStoreConfiguration
        ) async throws {
            let trial = try ContractTrial(SeededRandom(seed: seed), configuration)
            do {
                try await body(trial)
            } catch is ContractTrial.Refused {
                return
            } catch {
                throw trial.violation(of: name, error, place: "\(fileID):\(line)")
            }
        }
    }

    /// Where the store of a case is to be.
    public struct Place: Hashable, Sendable {
        /// A name that no other place has: `contract_`, letters and digits, 41 characters. A store on
        /// a server makes a database or a schema of this name.
        public let name: String
        /// A folder that exists and is removed when the case has ended.
        public let folder: URL

        /// A file in the folder, which does not exist for a new place.
        public var url: URL { folder.appendingPathComponent(name) }

        init(in folder: URL) {
            let digits = UUID().uuidString.lowercased().filter { $0 != "-" }
            name = "contract_" + digits
            self.folder = folder
        }
    }
}
