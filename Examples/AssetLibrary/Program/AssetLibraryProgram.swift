import AssetModels
import Dovetail
import VideoAssets

/// Saves a library, reads it back, and finds each asset as what it was.
@main
struct AssetLibraryProgram {
    static func main() async {
        let path = CommandLine.arguments.dropFirst().first ?? "assets"
        do {
            try await run(in: URL(fileURLWithPath: path))
        } catch {
            print("The program stopped: \(error)")
            exit(1)
        }
    }

    static func run(in folder: URL) async throws {
        var library = AssetLibrary(createdAt: Date(timeIntervalSince1970: 1_457_000_000))
        let black = ColorAsset(name: "BlackColor", red: 0, green: 0, blue: 0)
        library.addAsset("Test.Domain", group: "TestGroup", asset: black)
        let sound = SoundAsset(name: "Click", path: "sounds/click.ogg")
        library.addAsset("Test.Domain", group: "TestGroup", asset: sound)
        let video = VideoAsset(name: "Intro", path: "videos/intro.webm", seconds: 12.5)
        library.addAsset("Test.Domain", group: "Moving", asset: video)

        // One format after the other: reading finds out which one it is.
        let formats: KeyValuePairs = [
            "library.plist": ModelFormat.plist, "library.bplist": .binaryPlist,
            "library.json": .json(pretty: true),
        ]
        for (name, format) in formats {
            let file = folder.appendingPathComponent(name)
            try library.save(as: format, to: file)
            let again = try AssetLibrary(contentsOf: file)
            print("\(name): \(again.domains.keys.sorted())")
            for address in ["TestGroup/BlackColor", "TestGroup/Click", "Moving/Intro", "Moving/x"] {
                let asset = again.fetchAsset("asset://Test.Domain/" + address)
                print("  \(address): \(asset.map { "\($0)" } ?? "nothing")")
            }
        }

        // A list that may be larger than memory is written and read as a stream.
        let list = folder.appendingPathComponent("list.json")
        let writer = try ModelStreamWriter<any Asset>(to: list, as: .json)
        for number in 1...100_000 {
            let name = "Image \(number)"
            try writer.append(
                ImageAsset(name: name, path: "\(number).png", width: number, height: 1)
            )
        }
        try writer.append(video)
        try writer.finish()
        var (pixels, seconds) = (0, 0.0)
        for try await asset in [any Asset].stream(from: list) {
            switch asset {
            case let image as ImageAsset: pixels += image.width * image.height
            case let video as VideoAsset: seconds += video.seconds
            default: print("unexpected: \(asset)")
            }
        }
        print("list.json: \(pixels) pixels, \(seconds) seconds")

        // An error says where it is; the file that could not be replaced is as it was.
        let broken = folder.appendingPathComponent("broken.json")
        try Data(#"[{"$type":"ColorAsset","name":"x","red":"none"}]"#.utf8).write(to: broken)
        do {
            _ = try [any Asset](contentsOf: broken)
        } catch let error as ModelDecodingError {
            print("broken.json: \(error.path): expected \(error.expected), found \(error.found)")
        }
        do {
            try library.save(as: .json, to: folder.appendingPathComponent("none/library.json"))
        } catch let error as ModelFileError {
            print("none/library.json: \(error.kind)")
        }
    }
}
