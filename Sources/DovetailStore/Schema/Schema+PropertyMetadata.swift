package import DovetailModel

extension Schema {
    /// One stored property of a class, which its type describes without a schema.
    public struct PropertyMetadata: Sendable {
        /// The name of the property in Swift.
        public let name: String
        /// The property.
        public var keypath: AnyKeyPath { path }
        /// What the schema says of it: an ``Attribute`` or a ``Relationship``.
        public let metadata: any SchemaProperty

        private let path: any AnyKeyPath & Sendable

        /// The properties of a model: its attributes, then its relationships.
        package static func all(of model: any Model.Type) -> [PropertyMetadata] {
            let entity = Entity(EntityBinding(model))
            let values = entity.attributes.filter { $0.reference == nil }.map {
                PropertyMetadata(name: $0.name, metadata: $0, path: $0.attribute.keyPath)
            }
            return values
                + entity.relationships.map {
                    PropertyMetadata(name: $0.name, metadata: $0, path: $0.path)
                }
        }
    }
}
