package import Dovetail

// Chinook, the database of a shop for music, as a user would declare it
// (https://github.com/lerocha/chinook-database).

@Model(naming: .pascalCase)
package struct Artist: Identifiable, Equatable, Sendable {
    @Attribute(name: "ArtistId") package let id: Int
    package var name: String?
}

@Model(naming: .pascalCase)
package struct Album: Identifiable, Equatable, Sendable {
    @Attribute(name: "AlbumId") package let id: Int
    package var title: String
    package var artistID: Artist.ID
}

@Model(naming: .pascalCase)
package struct Genre: Identifiable, Equatable, Sendable {
    @Attribute(name: "GenreId") package let id: Int
    package var name: String?
}

@Model(naming: .pascalCase)
package struct MediaType: Identifiable, Equatable, Sendable {
    @Attribute(name: "MediaTypeId") package let id: Int
    package var name: String?
}

@Model(naming: .pascalCase)
package struct Track: Identifiable, Equatable, Sendable {
    @Attribute(name: "TrackId") package let id: Int
    package var name: String
    package var albumID: Album.ID?
    package var mediaTypeID: MediaType.ID
    package var genreID: Genre.ID?
    package var composer: String?
    package var milliseconds: Int
    package var bytes: Int?
    package var unitPrice: Decimal
}

@Model(naming: .pascalCase)
package struct Playlist: Identifiable, Equatable, Sendable {
    @Attribute(name: "PlaylistId") package let id: Int
    package var name: String?
}

@Model(naming: .pascalCase)
package struct PlaylistTrack: Equatable, Sendable {
    @Attribute(.primaryKey) package let playlistID: Playlist.ID
    @Attribute(.primaryKey) package let trackID: Track.ID
}
