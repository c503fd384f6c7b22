import DovetailSyntax
import Testing

/// Names of properties as names in documents.
struct NamingRuleTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let property, snake, kebab, pascal: String
        var testDescription: String { property }

        init(_ property: String, _ snake: String, _ kebab: String, _ pascal: String) {
            (self.property, self.snake, self.kebab, self.pascal) = (property, snake, kebab, pascal)
        }
    }

    @Test(
        arguments: [
            ("thumb360W", "thumb_360_w"), ("sha256", "sha_256"), ("x", "x"), ("", ""),
            ("address2Line10", "address_2_line_10"), ("createdAt", "created_at"),
            ("already_1", "already_1"), ("_2x", "_2_x"), ("1", "1"),
        ]
    )
    func `digits are words`(property: String, name: String) {
        #expect(NamingRule.snakeCaseWithDigits.documentName(of: property) == name)
    }

    @Test(
        arguments: [
            Row("id", "id", "id", "Id"),
            Row("ID", "id", "id", "ID"),
            Row("x", "x", "x", "X"),
            Row("name", "name", "name", "Name"),
            Row("createdAt", "created_at", "created-at", "CreatedAt"),
            Row("htmlURLOfHome", "html_url_of_home", "html-url-of-home", "HtmlURLOfHome"),
            Row("htmlURL", "html_url", "html-url", "HtmlURL"),
            Row("userID", "user_id", "user-id", "UserID"),
            Row("URLSession", "url_session", "url-session", "URLSession"),
            Row("aB", "a_b", "a-b", "AB"),
            Row("aBC", "a_bc", "a-bc", "ABC"),
            Row("a1B2", "a1_b2", "a1-b2", "A1B2"),
            Row("already_snake", "already_snake", "already_snake", "Already_snake"),
            Row("größeÄndern", "größe_ändern", "größe-ändern", "GrößeÄndern"),
            Row("", "", "", ""),
        ]
    )
    func `every rule`(_ row: Row) {
        #expect(NamingRule.asDeclared.documentName(of: row.property) == row.property)
        #expect(NamingRule.snakeCase.documentName(of: row.property) == row.snake)
        #expect(NamingRule.kebabCase.documentName(of: row.property) == row.kebab)
        #expect(NamingRule.pascalCase.documentName(of: row.property) == row.pascal)
    }
}
