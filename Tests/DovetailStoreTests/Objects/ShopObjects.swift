import Dovetail
import StoreTestSupport
import TestAssets

/// What tests of relationships to protocols are about: a shop whose workers are of several classes, and
/// jobs that one of several has to do.
@ModelProtocol protocol ShopWorker: AnyObject {
    var name: String { get set }
    var shop: WorkShop? { get set }
}

/// Who may have jobs. What becomes of them when one is deleted is another thing in each class.
@ModelProtocol protocol JobOwner: AnyObject {
    var name: String { get set }
    var jobs: [ShopJob] { get set }
}

@Model final class WorkShop {
    @Attribute(.unique) var title: String
    @Relationship(deleteRule: .cascade, inverse: \(any ShopWorker).shop)
    var workers: [any ShopWorker] = []
    /// Nothing leads back.
    @Relationship var guests: [any ShopWorker]?

    init(_ title: String, workers: [any ShopWorker] = []) {
        self.title = title
        self.workers = workers
    }
}

@Model final class ShopManager: ShopWorker, JobOwner {
    @Attribute(.unique) var name: String
    var level = 1
    var shop: WorkShop?
    var jobs: [ShopJob] = []

    init(_ name: String) { self.name = name }
}

@Model final class ShopEngineer: ShopWorker, JobOwner {
    @Attribute(.primaryKey) var name: String
    var skill: String?
    var shop: WorkShop?
    @Relationship(deleteRule: .cascade, inverse: \ShopJob.owner) var jobs: [ShopJob] = []

    init(_ name: String, jobs: [ShopJob] = []) {
        self.name = name
        self.jobs = jobs
    }
}

@Model final class ShopRobot: JobOwner {
    var name: String
    @Relationship(deleteRule: .deny) var jobs: [ShopJob] = []

    init(_ name: String) { self.name = name }
}

@Model final class ShopVisitor: JobOwner {
    var name: String
    @Relationship(deleteRule: .noAction) var jobs: [ShopJob] = []

    init(_ name: String) { self.name = name }
}

/// No container of the tests knows it, but where one says so.
@Model final class ShopStranger: ShopWorker, JobOwner {
    var name: String
    var shop: WorkShop?
    var jobs: [ShopJob] = []

    init(_ name: String) { self.name = name }
}

/// No context keeps it.
@Model(managed: false) final class PlainWorker: ShopWorker {
    var name: String
    @Transient var shop: WorkShop?

    init(_ name: String) { self.name = name }
}

@Model final class ShopJob {
    var title: String
    var minutes = 0
    @Relationship var owner: (any JobOwner)?
    /// Nothing leads back.
    @Relationship var helper: (any ShopWorker)?

    init(_ title: String, owner: (any JobOwner)? = nil) {
        self.title = title
        self.owner = owner
    }
}

/// Who may be in clubs.
@ModelProtocol protocol ClubMember: AnyObject {
    var name: String { get set }
    var clubs: [WorkClub] { get set }
}

@Model final class WorkClub {
    @Attribute(.unique) var title: String
    @Relationship var members: [any ClubMember] = []

    init(_ title: String, members: [any ClubMember] = []) {
        self.title = title
        self.members = members
    }
}

@Model final class ClubPerson: ClubMember {
    @Attribute(.unique) var name: String
    var clubs: [WorkClub] = []
    init(_ name: String) { self.name = name }
}

@Model final class ClubPet: ClubMember {
    @Attribute(.unique) var name: String
    var clubs: [WorkClub] = []
    init(_ name: String) { self.name = name }
}

/// What is in a tree, and what has others in it: protocols on both sides.
@ModelProtocol protocol TreeChild: AnyObject {
    var title: String { get set }
    var parent: (any TreeParent)? { get set }
}

@ModelProtocol protocol TreeParent: AnyObject {
    var title: String { get set }
    var children: [any TreeChild] { get set }
}

@Model final class TreeDisk: TreeParent {
    var title: String
    @Relationship(deleteRule: .cascade) var children: [any TreeChild] = []
    init(_ title: String) { self.title = title }
}

@Model final class TreeFolder: TreeParent, TreeChild {
    var title: String
    @Relationship var parent: (any TreeParent)?
    @Relationship(deleteRule: .cascade) var children: [any TreeChild] = []
    init(_ title: String) { self.title = title }
}

@Model final class TreeFile: TreeChild {
    @Attribute(.primaryKey) var title: String
    @Relationship var parent: (any TreeParent)?
    init(_ title: String) { self.title = title }
}

/// What a holder has, and what is deleted with it.
@ModelProtocol protocol HeldCard: AnyObject {
    var number: Int { get set }
    var holder: CardHolder? { get set }
}

@Model final class CardHolder {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \(any HeldCard).holder) var card: (any HeldCard)?
    init(_ name: String, _ card: (any HeldCard)? = nil) {
        self.name = name
        self.card = card
    }
}

@Model final class PaperCard: HeldCard {
    var number: Int
    var holder: CardHolder?
    init(_ number: Int) { self.number = number }
}

@Model final class ChipCard: HeldCard {
    var number: Int
    var holder: CardHolder?
    init(_ number: Int) { self.number = number }
}

/// Who has a badge, which is there for that one only.
@ModelProtocol protocol BadgeHolder: AnyObject {
    var badge: ShopBadge? { get set }
}

@Model final class BadgeGuard: BadgeHolder {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \ShopBadge.holder) var badge: ShopBadge?
    init(_ name: String) { self.name = name }
}

@Model final class BadgeClerk: BadgeHolder {
    var name: String
    @Relationship(inverse: \ShopBadge.holder) var badge: ShopBadge?
    init(_ name: String) { self.name = name }
}

@Model final class ShopBadge {
    var number: Int
    @Relationship var holder: any BadgeHolder

    init(_ number: Int, _ holder: any BadgeHolder) {
        self.number = number
        self.holder = holder
    }
}

/// Its protocol and one of the classes that conform are of another module.
@Model final class KeptAsset {
    var title: String
    @Relationship(.unique) var keeper: (any AssetKeeper)?
    @Relationship(minimumModelCount: 1, maximumModelCount: 2) var others: [any AssetKeeper] = []

    init(_ title: String, _ others: [any AssetKeeper]) {
        self.title = title
        self.others = others
    }
}

@Model final class HomeKeeper: AssetKeeper {
    var name: String
    init(_ name: String) { self.name = name }
}

/// What one worker holds once.
@Model class HeldTicket {
    #Unique<HeldTicket>([\.holder, \.title])
    #Index<HeldTicket>([\.number, \.holder])
    var title: String
    var number: Int
    @Relationship var holder: (any ShopWorker)?

    init(_ title: String, _ number: Int, _ holder: (any ShopWorker)?) {
        self.title = title
        self.number = number
        self.holder = holder
    }
}

@Model final class FastTicket: HeldTicket {
    #Unique<FastTicket>([\.lane, \.watcher])
    var lane: Int
    @Relationship var watcher: (any ShopWorker)?

    init(_ title: String, _ number: Int, lane: Int, watcher: any ShopWorker) {
        self.lane = lane
        self.watcher = watcher
        super.init(title, number, nil)
    }
}

extension StoreKind {
    func keepers() throws -> ModelContainer {
        try container(KeptAsset.self, HomeKeeper.self, StudioKeeper.self)
    }

    func shops() throws -> ModelContainer {
        try container(
            WorkShop.self,
            ShopManager.self,
            ShopEngineer.self,
            ShopRobot.self,
            ShopVisitor.self,
            ShopJob.self
        )
    }

    func clubs() throws -> ModelContainer {
        try container(WorkClub.self, ClubPerson.self, ClubPet.self)
    }

    func trees() throws -> ModelContainer {
        try container(TreeDisk.self, TreeFolder.self, TreeFile.self)
    }

    func cards() throws -> ModelContainer {
        try container(CardHolder.self, PaperCard.self, ChipCard.self)
    }

    func badges() throws -> ModelContainer {
        try container(BadgeGuard.self, BadgeClerk.self, ShopBadge.self)
    }
}
