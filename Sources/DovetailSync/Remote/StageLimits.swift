/// When a list waits in a stage, and how much of it is merged at a time. Tests have small ones.
package struct StageLimits: Sendable {
    /// How many values are in memory before others wait in a stage.
    package var mostInMemory = 20_000
    /// How many values are compared with the store at a time.
    package var partSize = 10_000

    @TaskLocal package static var current = StageLimits()

    /// Makes limits.
    package init(mostInMemory: Int = 20_000, partSize: Int = 10_000) {
        self.mostInMemory = mostInMemory
        self.partSize = partSize
    }
}
