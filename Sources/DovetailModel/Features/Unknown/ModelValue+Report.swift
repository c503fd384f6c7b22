public import Foundation

// Whole documents whose elements may be left out.

extension ModelValue {
    /// Reads a document and reports the elements that collections in it left out, by
    /// `@ModelProtocol(unknown: .skip)` or `@Attribute(unknown: .skip)`.
    ///
    /// ```swift
    /// var skipped: [SkippedElement] = []
    /// let library = try AssetLibrary(decoding: data, as: .json, report: &skipped)
    /// for element in skipped { print(element) }
    /// // groups[1].assets[3].red: expected Int, found "x" (line 4, column 34)
    /// ```
    ///
    /// - Parameter skipped: the elements in the order in which they were met. Unchanged when an
    ///   error is thrown.
    /// - Complexity: linear in the size of `data`, and O(n log n) in the number of elements that
    ///   are left out.
    /// - Throws: ``ModelDecodingError`` that says where and what was expected.
    public init(
        decoding data: Data,
        as format: ModelFormat,
        report skipped: inout [SkippedElement]
    ) throws {
        self = try ModelReader.decode(data, as: format, report: &skipped) {
            try Self(modelValue: &$0)
        }
    }
}

extension Array where Element: ModelValue {
    /// Reads a document that is an array, without the elements that cannot be read. No element of
    /// the array itself is an error, whatever is wrong with it.
    ///
    /// ```swift
    /// var skipped: [SkippedElement] = []
    /// let users = try [User](decoding: data, as: .json, report: &skipped)
    /// print("\(users.count) read, \(skipped.count) left out")
    /// ```
    ///
    /// - Parameter skipped: the elements that were left out, those inside of others too. Unchanged
    ///   when an error is thrown.
    /// - Complexity: linear in the size of `data`, and O(n log n) in the number of elements that
    ///   are left out.
    /// - Throws: ``ModelDecodingError`` for what is no document of the format, or no array.
    public init(
        decoding data: Data,
        as format: ModelFormat,
        report skipped: inout [SkippedElement]
    ) throws {
        self = try ModelReader.decode(data, as: format, report: &skipped) {
            try ArrayCoding<SkippingCoding<ValueCoding<Element>>>.decode(from: &$0)
        }
    }
}

extension Array {
    /// Reads a document that is an array of conformers of a model protocol, without the elements
    /// that cannot be read. Where the protocol keeps them (`unknown: .preserve`), nothing is left
    /// out.
    ///
    /// ```swift
    /// var skipped: [SkippedElement] = []
    /// let assets = try [any Asset](decoding: data, as: .json, report: &skipped)
    /// for element in skipped { print(element.path, element.error) }
    /// ```
    ///
    /// - Parameter skipped: the elements that were left out, those inside of others too. Unchanged
    ///   when an error is thrown.
    /// - Complexity: linear in the size of `data`, and O(n log n) in the number of elements that
    ///   are left out.
    /// - Throws: ``ModelDecodingError`` for what is no document of the format, or no array.
    public init(
        decoding data: Data,
        as format: ModelFormat,
        report skipped: inout [SkippedElement],
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        self = try ModelReader.decode(data, as: format, report: &skipped) {
            try table.decodeReporting(&$0)
        }
    }
}
