import Dovetail
import DovetailStore
import StoreTestSupport
import Testing

/// Orders that lead through relationships to classes with subclasses.
@Suite struct InheritedOrderTests {
    @Test(arguments: StoreKind.allCases)
    func `orders lead through classes with subclasses`(_ kind: StoreKind) throws {
        let context = ModelContext(
            try kind.container(TankLorry.self, Bicycle.self, Scooter.self, Vehicle.self)
        )
        let owners = [VehicleOwner("Zoe"), VehicleOwner("Ann")]
        let (car, tank) = (Vehicle("a", name: "car"), TankLorry("b", liquid: "milk"))
        let lorry = Lorry("c", load: 2, bay: 1, depot: "far")
        lorry.name = "big"
        tank.name = "wet"
        (car.owner, tank.owner, lorry.owner) = (owners[0], owners[1], nil)
        for vehicle in [car, tank, lorry] { context.insert(vehicle) }
        for (number, vehicle) in [(1, tank), (2, car), (3, nil), (4, lorry)] as [(Int, Vehicle?)] {
            let trip = VehicleTrip(number)
            trip.vehicle = vehicle
            context.insert(trip)
        }
        for (weight, truck) in [(1, tank), (2, lorry)] as [(Double, Lorry)] {
            let crate = LorryCrate(weight)
            crate.truck = truck
            context.insert(crate)
        }
        func trips(_ order: SortDescriptor<VehicleTrip>) throws -> [Int] {
            try context.fetch(FetchDescriptor(sortBy: [order, SortDescriptor(\.number)]))
                .map(\.number)
        }
        func crates(_ order: SortDescriptor<LorryCrate>) throws -> [Double] {
            try context.fetch(FetchDescriptor(sortBy: [order])).map(\.weight)
        }
        func check() throws {
            #expect(try trips(SortDescriptor(\.vehicle?.name)) == [3, 4, 2, 1])
            #expect(try trips(SortDescriptor(\.vehicle?.name, order: .reverse)) == [1, 2, 4, 3])
            #expect(try trips(SortDescriptor(\.vehicle?.wheels)) == [3, 2, 1, 4])
            #expect(try trips(SortDescriptor(\.vehicle?.owner?.name)) == [3, 4, 1, 2])
            // Properties of the subclass, and those that it inherits.
            #expect(try crates(SortDescriptor(\.truck?.depot)) == [2, 1])
            #expect(try crates(SortDescriptor(\.truck?.plate)) == [1, 2])
            #expect(try crates(SortDescriptor(\.truck?.name)) == [2, 1])
            #expect(try crates(SortDescriptor(\.truck?.owner?.name)) == [2, 1])
        }
        try check()
        try context.save()
        try check()
        // What is computed is no attribute.
        #expect(throws: QueryError.self) { try trips(SortDescriptor(\.vehicle?.changes)) }
    }
}
