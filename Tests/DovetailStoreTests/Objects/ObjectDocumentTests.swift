import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// How objects are written in documents: what they own is inside of them, others are named.
struct ObjectDocumentTests {
    private func text(_ value: some ModelValue) throws -> String {
        String(decoding: try value.encoded(as: .json), as: UTF8.self)
    }

    @Test(arguments: StoreKind.allCases)
    func `owned objects are inside, and others are named by a key or a unique attribute`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.cases())
        let file = FiledCase(7, title: "a")
        context.insert(file)
        let page = FiledPage("p", of: file)
        page.marks = [PageMark(1), PageMark(2)]
        page.author = CaseClerk("bob")
        file.cover = CaseCover("red")
        file.clerk = CaseClerk("ann")
        file.topics = [CaseTopic(4), CaseTopic(2)]
        file.previous = FiledCase(6)
        let expected =
            ##"{"number":7,"title":"a","tags":[],"pages":[{"code":"p","text":"","##
            + ##""marks":[{"place":1},{"place":2}],"author":"bob"}],"cover":{"color":"red"},"##
            + ##""clerk":"ann","topics":["#4","#2"],"previous":6}"##
        #expect(try text(file) == expected)
        try context.save()
        let other = ModelContext(context.container)
        let stored = try #require(
            try other.fetch(FetchDescriptor<FiledCase>(predicate: #Predicate { $0.number == 7 }))
                .first
        )
        #expect(try text(stored) == expected)
        let clerk = try #require(
            try other.fetch(FetchDescriptor<CaseClerk>(predicate: #Predicate { $0.email == "ann" }))
                .first
        )
        #expect(try text(clerk) == #"{"name":"","email":"ann","cases":[7]}"#)
    }

    @Test func `an object that is in no context is written in the same way`() throws {
        let file = FiledCase(1)
        _ = FiledPage("p", of: file)
        file.clerk = CaseClerk("ann")
        #expect(
            try text(file)
                == #"{"number":1,"title":"","tags":[],"pages":[{"code":"p","text":"","marks":[]}],"#
                + #""clerk":"ann","topics":[]}"#
        )
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `an object that nothing names is an error with its path`(_ format: ModelFormat) throws {
        let holder = MarkHolder()
        #expect(try text(holder) == #"{"marks":[]}"#)
        holder.marks = [HeldMark("x")]
        let error = #expect(throws: ModelEncodingError.self) { try [holder].encoded(as: format) }
        #expect(error?.kind == .noKey)
        #expect(error?.path == "[0].marks[0]")
        let message = error?.description ?? ""
        #expect(message.contains("`marks` of MarkHolder leads to objects of HeldMark"))
        #expect(message.contains("@Attribute(.unique)"))

        let file = FiledCase(1)
        file.clerk = CaseClerk(nil)
        let missing = #expect(throws: ModelEncodingError.self) { try file.encoded(as: format) }
        #expect(missing?.kind == .noKey)
        #expect(missing?.path == "clerk")
        #expect(missing?.explanation.contains("without a value in `email`") == true)
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `an owned object that leads back is an error at once`(_ format: ModelFormat) throws {
        let (left, right) = (MirrorLeft(), MirrorRight())
        left.right = right
        let error = #expect(throws: ModelEncodingError.self) { try left.encoded(as: format) }
        #expect(error?.kind == .cycle)
        #expect(error?.path == "right.left")

        let (a, b) = (CaseFolder("a"), CaseFolder("b"))
        a.children = [CaseFolder("c"), b]
        #expect(
            try text(a)
                == #"{"name":"a","children":[{"name":"c","children":[]},"#
                + #"{"name":"b","children":[]}]}"#
        )
        b.children = [a]
        let loop = #expect(throws: ModelEncodingError.self) { try a.encoded(as: format) }
        #expect(loop?.kind == .cycle)
        #expect(loop?.path == "children[1].children[0]")
    }

    @Test func `owned objects are read without a context, and keys are not`() throws {
        let json = #"{"number":1,"title":"","pages":[{"code":"p","marks":[{"place":3}]}]}"#
        let file = try FiledCase(decoding: Data(json.utf8), as: .json)
        #expect(file.pages.map(\.code) == ["p"] && file.pages[0].file === file)
        #expect(file.pages[0].marks.map(\.place) == [3])

        for (json, path) in [
            (#"{"number":1,"title":"","clerk":"ann"}"#, "clerk"),
            (#"{"number":1,"title":"","topics":["x"]}"#, "topics[0]"),
            (#"{"number":1,"title":"","pages":[{"code":"p","author":"x"}]}"#, "pages[0].author"),
        ] {
            let error = #expect(throws: ModelDecodingError.self) {
                try FiledCase(decoding: Data(json.utf8), as: .json)
            }
            #expect(error?.kind == .rejected)
            #expect(error?.path == path)
            #expect(error?.expected.contains("context.decode(_:from:as:)") == true)
        }
        let lonely = #expect(throws: ModelDecodingError.self) {
            try FiledPage(decoding: Data(#"{"code":"p"}"#.utf8), as: .json)
        }
        #expect(lonely?.kind == .missingField && lonely?.path == "file")
    }
}
