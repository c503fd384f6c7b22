import Boxes
import Dovetail
import Stores

/// Packs boxes, in a SQLite file, on a server (`postgresql://…`) or, without an argument, in memory. It knows `BoxType` and
/// `ItemType`, and nothing of what is stored.
@main
struct BoxesAndItems {
    let boxes: Boxes

    static func main() {
        do {
            // The line that says where the boxes are.
            let configuration = chosenStore()
            try BoxesAndItems(boxes: Boxes(configuration)).run()
        } catch {
            print("The program stopped: \(error)")
            exit(1)
        }
    }

    private func run() throws {
        let subscription = boxes.events.subscribe(to: BoxRemoved.self) {
            print("box \($0.boxId.rawValue) is gone")
        }
        defer { subscription.cancel() }

        let tools = try boxes.addBox(title: "tools")
        for title in ["hammer", "saw", "nails"] {
            try tools.addItem(withId: boxes.nextItemId(), title: title)
        }
        let kitchen = try boxes.addBox(title: "kitchen")
        try kitchen.addItem(withId: boxes.nextItemId(), title: "pan")
        try show("packed")

        tools.changeTitle("old tools")
        let view = BoxView(tools)
        tools.changeItemTitle(itemId: view.items[0].itemId, title: "big hammer")
        tools.removeItem(itemId: view.items[1].itemId)
        try show("changed")

        try boxes.removeBox(boxId: kitchen.boxId)
        try show("removed")
    }

    private func show(_ title: String) throws {
        try boxes.save()
        print("\(title):")
        for box in try boxes.all() { print("  \(BoxView(box))") }
    }
}
