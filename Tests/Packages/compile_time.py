"""Writes a package with a list of types, one of structs that keep unknown fields and leave out empty
collections, and one of classes, each twice: as models of Dovetail, and with synthesized Codable.

usage: compile_time.py FOLDER ROOT TYPES; called by Scripts/compile-time.
"""

import pathlib
import sys

folder, root, count = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
TYPES_A_FILE = 10

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CompileTime",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Dovetail", path: "%s")],
    targets: [
        // Both link the same things, so that only the types differ.
        .target(name: "ModelTypes", dependencies: [.product(name: "Dovetail", package: "Dovetail")]),
        .target(name: "CodableTypes", dependencies: [.product(name: "Dovetail", package: "Dovetail")]),
        .target(name: "ModelKeeping", dependencies: [.product(name: "Dovetail", package: "Dovetail")]),
        .target(name: "CodableKeeping", dependencies: [.product(name: "Dovetail", package: "Dovetail")]),
        .target(name: "ModelClasses", dependencies: [.product(name: "Dovetail", package: "Dovetail")]),
        .target(name: "CodableClasses", dependencies: [.product(name: "Dovetail", package: "Dovetail")]),
    ],
    swiftLanguageModes: [.v6]
)
"""

# Six to ten fields from this list, beginning at another one in each type.
FIELDS = [
    "var id: Int",
    "var name: String",
    "var note: String?",
    "var createdAt: Date",
    "var tags: [String] = []",
    "var isOpen = false",
    "var scores: [String: Double]",
    "var parent: Int?",
    "var kind: {kind}",
    "var price: Double = 1.5",
    "var link: URL?",
    "var shape: {shape}",
    "var others: [{other}]",
    "var count: Int64",
    "var choice: {choice}?",
]


def declare(index, is_model):
    attribute = "@Model\n" if is_model else ""
    codable = "" if is_model else "Codable"
    conformance = f": {codable}" if codable else ""
    kind = index % 10
    if kind == 3:
        return f"{attribute}public enum Kind{index}: String{', Codable' if codable else ''} {{\n    case open, closed, waiting, unknownState\n}}\n"
    if kind == 7:
        return (
            f"{attribute}public enum Choice{index}{conformance} {{\n"
            "    case none\n    case text(String)\n    case point(x: Double, y: Double)\n}\n"
        )
    conforms = ["Shape"] if kind == 5 else []
    inheritance = ", ".join(conforms + ([codable] if codable else []))
    names = {
        "kind": f"Kind{index - kind + 3}",
        "choice": f"Choice{index - kind + 7}",
        "other": f"Type{index - kind}",
        "shape": "any Shape" if is_model else f"Type{index - kind + 5}",
    }
    size = 6 + index % 5
    lines = []
    for place in range(len(FIELDS)):
        field = FIELDS[(index * 3 + place) % len(FIELDS)]
        # A struct cannot hold itself, also not through the one it stands for.
        if "{shape}" in field and kind in (0, 5):
            continue
        lines.append("    public " + field.format(**names))
        if len(lines) == size:
            break
    header = f"{attribute}public struct Type{index}"
    return header + (f": {inheritance}" if inheritance else "") + " {\n" + "\n".join(lines) + "\n}\n"


def declare_keeping(index, is_model):
    """The same types, where the models keep unknown fields and leave out empty collections."""
    text = declare(index, is_model)
    if not is_model:
        return text
    text = text.replace("@Model\npublic struct", "@Model(unknownFields: .preserve)\npublic struct")
    for field in ("tags: [", "scores: [", "others: ["):
        text = text.replace(f"    public var {field}", f"    @Attribute(.omittedWhenEmpty) public var {field}")
    return text


# Attributes of classes, of which each has four to eight, beside a relationship to one and one to several.
CLASS_FIELDS = [
    ("number", "Int", None),
    ("name", "String", None),
    ("note", "String?", None),
    ("createdAt", "Date", None),
    ("tags", "[String]", "[]"),
    ("isOpen", "Bool", "false"),
    ("scores", "[String: Double]", None),
    ("price", "Double", "1.5"),
    ("link", "URL?", None),
    ("count", "Int64", None),
]


def declare_class(index, is_model):
    first = index - index % TYPES_A_FILE
    owner, part = (f"Class{first + (index + step) % TYPES_A_FILE}" for step in (1, 2))
    fields = [CLASS_FIELDS[(index * 3 + place) % len(CLASS_FIELDS)] for place in range(4 + index % 5)]
    lines = [
        f"    public var {name}: {kind}" + (f" = {value}" if value else "")
        for name, kind, value in fields
    ]
    lines += [f"    public var owner: {owner}?", f"    public var parts: [{part}] = []", ""]
    given = [(name, kind) for name, kind, value in fields if not value and not kind.endswith("?")]
    lines.append("    public init(" + ", ".join(f"{name}: {kind}" for name, kind in given) + ") {")
    lines += [f"        self.{name} = {name}" for name, _ in given] + ["    }"]
    header = f"{'@Model ' if is_model else ''}public final class Class{index}"
    return header + ("" if is_model else ": Codable") + " {\n" + "\n".join(lines) + "\n}\n"


def write(name, is_model, declare):
    sources = folder / "Sources" / name
    sources.mkdir(parents=True)
    import_line = "import Dovetail\n\n" if is_model else "import Foundation\n\n"
    protocol = ("@ModelProtocol\n" if is_model else "") + "public protocol Shape {}\n"
    (sources / "Shape.swift").write_text(import_line + protocol)
    # What a type names has to be there, so the last group of ten is filled up.
    for first in range(0, count, TYPES_A_FILE):
        types = [declare(index, is_model) for index in range(first, first + TYPES_A_FILE)]
        (sources / f"Types{first}.swift").write_text(import_line + "\n".join(types))


folder.joinpath("Package.swift").write_text(MANIFEST % root)
write("ModelTypes", True, declare)
write("CodableTypes", False, declare)
write("ModelKeeping", True, declare_keeping)
write("CodableKeeping", False, declare_keeping)
write("ModelClasses", True, declare_class)
write("CodableClasses", False, declare_class)
