import ChinookModels
import Dovetail
import StoreTestSupport
import Testing

/// Chinook, opened as others have made it.
@Suite(.needsCorpora) struct ChinookTests {
    @Test func `all rows of all tables are read`() throws {
        let context = try Corpus.chinook.context()
        #expect(try context.fetch(FetchDescriptor<Track>()).count == 3503)
        #expect(try context.fetch(FetchDescriptor<PlaylistTrack>()).count == 8715)
        #expect(try context.fetch(FetchDescriptor<InvoiceLine>()).count == 2240)
        #expect(try context.fetch(FetchDescriptor<Genre>()).count == 25)
        #expect(try context.fetch(FetchDescriptor<MediaType>()).count == 5)
        #expect(try context.fetch(FetchDescriptor<Playlist>()).count == 18)
        #expect(try context.fetch(Album.self, id: 347)?.artistID == 275)
        #expect(try context.fetch(Artist.self, id: 1)?.name == "AC/DC")
        #expect(try context.fetch(Employee.self, id: 1)?.birthDate == day(1962, 2, 18))
    }

    @Test func `indexes that others have made are used`() throws {
        let context = try Corpus.chinook.context()
        let tracks = FetchDescriptor<Track>(predicate: #Predicate { $0.albumID == 1 })
        let explanation = try context.explain(tracks)
        #expect(explanation.steps.count == 1)
        #expect(explanation.steps.first?.contains("IFK_TrackAlbumId") == true, "\(explanation)")
        let plan = try Corpus.chinook.file().rows(
            "EXPLAIN QUERY PLAN SELECT * FROM Track WHERE AlbumId = 1"
        )
        #expect(plan.first?.last??.contains("IFK_TrackAlbumId") == true)
        let dear = try context.explain(
            FetchDescriptor<Track>(predicate: #Predicate { $0.unitPrice > 1 })
        )
        #expect(dear.steps == ["goes over all rows of Track"])
        #expect(dear.advice?.hasPrefix("No index") == true)
    }

    @Test func `nothing can be written`() throws {
        let context = try Corpus.chinook.context()
        var genre = try #require(try context.fetch(Genre.self, id: 1))
        genre.name = "Silence"
        context.update(genre)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .readOnly)
    }
}
