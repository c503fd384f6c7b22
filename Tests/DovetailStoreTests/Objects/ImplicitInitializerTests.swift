import Dovetail
import StoreTestSupport
import Testing

@Model class SettingsObject {
    var theme = "light"
    var size: Int? { didSet { changes += 1 } }
    @Transient var changes = 0
    let version = 1
    var copies: [SettingsObject] = []
    @Relationship(inverse: \SettingsObject.copies) var origin: SettingsObject!
    lazy var title = "\(theme) \(size ?? 0)"
    static let shared = 2

    convenience init(size: Int) {
        self.init()
        self.size = size
    }
}

@Model final class NightSettingsObject: SettingsObject { var from = 22 }

@Model(managed: false) final class PlainSettings { var theme = "light" }

/// A class that declares no designated initializer, and whose properties have values without one, has `init()`, as in
/// Swift.
@Suite struct ImplicitInitializerTests {
    @Test(arguments: StoreKind.allCases)
    func `a class without an initializer is made, stored and read`(_ kind: StoreKind) throws {
        let container = try kind.container(SettingsObject.self, NightSettingsObject.self)
        let context = ModelContext(container)
        let (first, second) = (SettingsObject(), SettingsObject(size: 3))
        let night = NightSettingsObject()
        (first.copies, first.theme) = ([second, night], "dark")
        context.insert(first)
        try context.save()
        let found = try ModelContext(container).fetch(
            FetchDescriptor<SettingsObject>(predicate: #Predicate { $0.theme == "dark" })
        )
        #expect(found.map(\.copies.count) == [2])
        #expect(found[0].copies.map(\.size) == [3, nil])
        #expect((found[0].copies[1] as? NightSettingsObject)?.from == 22)
        #expect(second.changes == 1)
    }

    @Test func `one that no context keeps has it, too`() throws {
        let settings = PlainSettings()
        settings.theme = "dark"
        #expect(try PlainSettings(decoding: settings.encoded(as: .json), as: .json).theme == "dark")
    }
}
