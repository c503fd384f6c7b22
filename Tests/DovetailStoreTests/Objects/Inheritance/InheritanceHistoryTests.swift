import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Random work with objects of classes that share a table, compared with plain values after each step.
struct InheritanceHistoryTests {
    /// What an object shall be.
    fileprivate struct PlainVehicle: Equatable {
        var kind: String
        var name: String
        var wheels: Int
        /// Of trucks.
        var load: Double?
        /// Of trucks, in their order.
        var crates: [Double] = []
        /// Of tank trucks.
        var liquid: String?
        /// Of bicycles.
        var note: Int?
        var owner: String?

        init(_ vehicle: Vehicle) {
            kind = "\(type(of: vehicle))"
            name = vehicle.name
            wheels = vehicle.wheels
            load = (vehicle as? Lorry)?.load
            crates = (vehicle as? Lorry)?.crates.map(\.weight) ?? []
            liquid = (vehicle as? TankLorry)?.liquid
            note = (vehicle as? Bicycle)?.note
            owner = vehicle.owner?.name
        }
    }

    private struct World: ObjectWorld {
        let container: ModelContainer
        let context: ModelContext
        /// It saves each of its changes at once, while nothing waits in the other one.
        let other: ModelContext
        var random: SeededRandom
        var now: [String: PlainVehicle] = [:]
        var saved: [String: PlainVehicle] = [:]
        var objects: [String: Vehicle] = [:]
        let owners: [VehicleOwner]
        var next = 0
        var depth = 0

        init(_ kind: StoreKind, seed: UInt64) throws {
            container = try kind.container(
                TankLorry.self,
                Bicycle.self,
                Scooter.self,
                VehicleOwner.self
            )
            context = ModelContext(container)
            other = ModelContext(container)
            random = SeededRandom(seed: seed)
            owners = ["Ann", "Bob", "Cid"].map { VehicleOwner($0) }
            for owner in owners { context.insert(owner) }
            try context.save()
        }

        private mutating func insert() -> String {
            next += 1
            let plate = "\(next)"
            let vehicle: Vehicle =
                switch Int.random(in: 0..<5, using: &random) {
                case 0: Vehicle(plate)
                case 1: Lorry(plate, load: Double(next), bay: next)
                case 2: TankLorry(plate, liquid: "milk", bay: next)
                case 3: Bicycle(plate)
                default: Scooter(plate)
                }
            vehicle.owner = owners.randomElement(using: &random)
            context.insert(vehicle)
            objects[plate] = vehicle
            now[plate] = PlainVehicle(vehicle)
            return "insert \(plate)"
        }

        mutating func step() throws -> String {
            guard let plate = now.keys.sorted().randomElement(using: &random),
                let vehicle = objects[plate]
            else { return insert() }
            next += 1
            switch Int.random(in: 0..<17, using: &random) {
            case 0, 1, 2: return insert()
            case 3:
                vehicle.name = "name \(next)"
                now[plate]?.name = "name \(next)"
                return "rename \(plate)"
            case 4:
                vehicle.wheels = next
                now[plate]?.wheels = next
                return "wheels of \(plate)"
            case 5:
                (vehicle as? Lorry)?.load = Double(next)
                if vehicle is Lorry { now[plate]?.load = Double(next) }
                return "load \(plate)"
            case 6:
                (vehicle as? TankLorry)?.liquid = "liquid \(next)"
                if vehicle is TankLorry { now[plate]?.liquid = "liquid \(next)" }
                (vehicle as? Bicycle)?.note = next
                if vehicle is Bicycle { now[plate]?.note = next }
                return "own attribute of \(plate)"
            case 7, 8:
                guard let truck = vehicle as? Lorry else { return "nothing" }
                truck.crates.append(LorryCrate(Double(next)))
                now[plate]?.crates.append(Double(next))
                return "crate of \(plate)"
            case 9:
                guard let truck = vehicle as? Lorry, !truck.crates.isEmpty else { return "nothing" }
                context.delete(truck.crates[0])
                now[plate]?.crates.removeFirst()
                return "first crate of \(plate)"
            case 10:
                let owner = owners.randomElement(using: &random)
                if Bool.random(using: &random) {
                    vehicle.owner = owner
                } else if owner?.vehicles.contains(vehicle) == false {
                    owner?.vehicles.append(vehicle)
                }
                now[plate]?.owner = owner?.name
                return "owner of \(plate)"
            case 11:
                context.delete(vehicle)
                now[plate] = nil
                return "delete \(plate)"
            case 12:
                let limit = next - 20
                let bound = Double(limit)
                try context.delete(model: Lorry.self, where: #Predicate { $0.load < bound })
                now = now.filter { $0.value.load.map { $0 >= bound } ?? true }
                return "delete below \(limit)"
            case 13: return rollback()
            case 15: return refuse()
            case 14 where depth == 0:
                _ = try save()
                let theirs = try other.fetch(FetchDescriptor<Vehicle>())
                guard let one = theirs.first(where: { $0.plate == plate }) else {
                    return "save"
                }
                one.name = "their \(next)"
                (one as? Lorry)?.load = Double(next)
                try other.save()
                now[plate]?.name = "their \(next)"
                if one is Lorry { now[plate]?.load = Double(next) }
                saved = now
                return "save, and change \(plate) elsewhere"
            default: return try save()
            }
        }

        /// What objects are, asked for in several ways.
        func plain(_ context: ModelContext) throws -> [String: PlainVehicle] {
            let all = try context.fetch(FetchDescriptor<Vehicle>())
            let trucks = try context.fetch(FetchDescriptor<Lorry>())
            #expect(Set(trucks.map(\.plate)) == Set(all.filter { $0 is Lorry }.map(\.plate)))
            let tanks = try context.fetchCount(FetchDescriptor<TankLorry>())
            #expect(tanks == all.count { $0 is TankLorry })
            let loaded = FetchDescriptor<Vehicle>(
                predicate: #Predicate { (($0 as? Lorry)?.load ?? 0) > 20 }
            )
            #expect(
                try context.fetchCount(loaded) == all.count { ($0 as? Lorry)?.load ?? 0 > 20 }
            )
            for owner in try context.fetch(FetchDescriptor<VehicleOwner>()) {
                let plates = Set(all.filter { $0.owner === owner }.map(\.plate))
                #expect(Set(owner.vehicles.map(\.plate)) == plates)
            }
            return Dictionary(all.map { ($0.plate, PlainVehicle($0)) }, uniquingKeysWith: { $1 })
        }
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `objects of several classes are what plain values would be`(
        _ kind: StoreKind,
        _ seed: UInt64
    ) throws {
        var world = try World(kind, seed: seed)
        try world.run(250, seed: seed)
    }
}
