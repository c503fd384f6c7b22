import Dovetail
import DovetailTesting
import Testing

/// Values that are of one kind here and of another there, written by hand over `peekKind`.
struct UnionTests {
    /// An address, a whole person, several of these, or a rank.
    indirect enum Contact: ModelValue, Equatable {
        case nobody
        case id(String)
        case whole(Person)
        case several([Contact])
        case rank(Int)
        case share(Double)
        case isKnown(Bool)

        init(modelValue reader: inout ModelReader) throws {
            switch try reader.peekKind() {
            case .string: self = .id(try String(modelValue: &reader))
            case .object: self = .whole(try Person(modelValue: &reader))
            case .array: self = .several(try [Contact](modelValue: &reader))
            case .integer: self = .rank(try Int(modelValue: &reader))
            case .double: self = .share(try Double(modelValue: &reader))
            case .bool: self = .isKnown(try Bool(modelValue: &reader))
            case .null:
                _ = try reader.readNull()
                self = .nobody
            case .date, .data, .decimal: throw reader.rejected(expected: "a contact")
            }
        }

        func encode(to writer: inout ModelWriter) throws {
            try writer.embed { writer in
                switch self {
                case .nobody: try writer.writeNull()
                case .id(let id): try id.encode(to: &writer)
                case .whole(let person): try person.encode(to: &writer)
                case .several(let contacts): try contacts.encode(to: &writer)
                case .rank(let rank): try rank.encode(to: &writer)
                case .share(let share): try share.encode(to: &writer)
                case .isKnown(let isKnown): try isKnown.encode(to: &writer)
                }
            }
        }
    }

    @Model struct Person: Equatable {
        var name: String
        var boss: Contact?
    }

    @Model struct ContactBook: Identifiable, Equatable {
        var id: Int
        var contact: Contact
        var others: [Contact] = []
        var byName: [String: Contact] = [:]
    }

    private static let every: [Contact] = [
        .id("1"), .id("{"), .id(""), .whole(Person(name: "a", boss: .id("b"))), .rank(-3),
        .share(0.5), .isKnown(true), .several([]),
        .several([.id("x"), .whole(Person(name: "c", boss: nil)), .several([.rank(1)])]),
    ]

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `what is written is read`(format: ModelFormat) throws {
        for contact in Self.every {
            let book = ContactBook(
                id: 1,
                contact: contact,
                others: [contact],
                byName: ["k": contact]
            )
            let data = try book.encoded(as: format)
            #expect(try ContactBook(decoding: data, as: format) == book)
            #expect(try Contact(decoding: contact.encoded(as: format), as: format) == contact)
        }
        // A dictionary leaves no null out, as its values are no optionals.
        let nobody = try Contact(decoding: Contact.nobody.encoded(as: format), as: format)
        #expect(nobody == .nobody)
    }

    @Test
    func `laws hold`() throws {
        for contact in Self.every { try checkModel(ContactBook(id: 1, contact: contact)) }
    }

    @Test(
        arguments: [
            ("1", .integer), ("-12", .integer), ("1.0", .double), ("-1e3", .double),
            ("0", .integer),
            ("true", .bool), ("false", .bool), ("null", .null), (#""x""#, .string), ("[]", .array),
            ("{}", .object), ("123456789012345678901234567890", .integer),
        ] as [(String, ModelDocument.Kind)]
    )
    func `kinds of JSON`(json: String, kind: ModelDocument.Kind) throws {
        let found = try ModelReader.decode(Data(json.utf8), as: .json) { reader in
            let found = try reader.peekKind()
            #expect(try reader.peekKind() == found)
            // It has not moved.
            _ = try ModelDocument(modelValue: &reader)
            return found
        }
        #expect(found == kind)
    }

    @Test(arguments: [ModelFormat.plist, .binaryPlist])
    func `kinds of property lists`(format: ModelFormat) throws {
        let documents: [ModelDocument] = [
            .integer(1), .integer(-5), .double(1.5), .bool(true), .string("x"), .array([]),
            .object([]), .date(Date(timeIntervalSince1970: 0)), .data(Data([1, 2])), .null,
        ]
        for document in documents {
            let data = try document.encoded(as: format)
            let kind = try ModelReader.decode(data, as: format) { reader in
                let kind = try reader.peekKind()
                #expect(try ModelDocument(modelValue: &reader) == document)
                return kind
            }
            #expect(kind == document.kind)
        }
    }

    @Test(arguments: ["", "x", "}", ",", "+1"])
    func `no value`(json: String) throws {
        #expect(throws: ModelDecodingError.self) {
            try ModelReader.decode(Data(json.utf8), as: .json) { try $0.peekKind() }
        }
    }

    @Test
    func `errors know their place`() throws {
        let json = #"{"id":1,"contact":["a",{"name":"b","boss":[{"nam":1}]}]}"#
        let error = try #require(throws: ModelDecodingError.self) {
            try ContactBook(decoding: Data(json.utf8), as: .json)
        }
        #expect(error.path == "contact[1].boss[0].name")
        #expect(error.column == 44)
    }

    @Test
    func `unions are columns`() throws {
        let container = try ModelContainer(
            for: ContactBook.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        var books: [ContactBook] = []
        for (id, contact) in (Self.every + [.nobody]).enumerated() {
            books.append(ContactBook(id: id, contact: contact, others: [contact, .nobody]))
        }
        context.insert(contentsOf: books)
        try context.save()
        let stored = try ModelContext(container).fetch(
            FetchDescriptor<ContactBook>(sortBy: [SortDescriptor(\.id)])
        )
        #expect(stored == books)
    }
}
