import DovetailPostgres
import Testing

@Suite struct PoolSettingsTests {
    @Test func `a pool has eight connections unless it is told`() {
        #expect(PoolSettings().size == 8)
    }
}
