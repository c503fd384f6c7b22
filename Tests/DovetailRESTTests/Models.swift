import Dovetail

@Model struct User: Equatable { var id: Int; var name: String }
@Model struct Product: Equatable { var sku: String; var weight: Int }
