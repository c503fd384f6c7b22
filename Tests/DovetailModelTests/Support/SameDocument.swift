import Dovetail

/// Whether two values are written alike: what `==` is for models that hold `any P`.
func sameDocument(_ one: some ModelValue, _ other: some ModelValue) -> Bool {
    (try? one.encoded(as: .json)) == (try? other.encoded(as: .json))
}
