import Synchronization

/// Every model of the program that is not generic, in the order of the images they stand in.
///
/// Found in the runtime's records at the first use of a model protocol, so there is nothing to set
/// up. That takes about 0.2 ms in a program with 5,000 conformances. Images that are loaded later
/// are noticed by their number, which costs a few nanoseconds an image.
enum ModelRegistry {
    private struct Contents {
        var imageCount = 0
        var sections: Set<ConformanceRecords.Section> = []
        var models: [any Model.Type] = []
        var failure: ConformanceRecords.UnknownLayout?
    }

    private static let contents = Mutex(Contents())

    /// All models, and a number that grows when there are more.
    static var all: (generation: Int, models: [any Model.Type]) {
        let imageCount = ConformanceRecords.imageCount
        return contents.withLock { contents in
            if contents.imageCount != imageCount {
                contents.imageCount = imageCount
                do throws(ConformanceRecords.UnknownLayout) {
                    try readNewImages(into: &contents)
                } catch {
                    contents.failure = error
                }
            }
            return (contents.models.count, contents.models)
        }
    }

    /// Why models are missing from ``all``.
    static var failure: ConformanceRecords.UnknownLayout? {
        contents.withLock { $0.failure }
    }

    private static func readNewImages(
        into contents: inout Contents
    ) throws(ConformanceRecords.UnknownLayout) {
        for section in try ConformanceRecords.sections()
        where contents.sections.insert(section).inserted {
            // What stands for unknown elements is no type that a document could name.
            contents.models += try ConformanceRecords.models(in: section).filter {
                !($0 is any UnknownModel.Type)
            }
        }
    }
}

extension Model {
    /// Fulfils a requirement of model protocols, for which generated code of a generic type has an
    /// unavailable member: nobody can find a type without its parameters.
    public static func _isRegistered() {}
}
