import Dovetail

// Half of the types of each polymorphic corpus, every second one by name, so that known and unknown
// ones hold each other. Where a model declares nothing, everything in it is an undeclared field.

/// A corpus whose documents name their types themselves.
enum HalfCorpus {
    enum Stripe {
        @Model(typeName: "account", unknownFields: .preserve) struct Account: HalfStripe {}
        @Model(typeName: "account_session", unknownFields: .preserve)
        struct AccountSession: HalfStripe {}
        @Model(typeName: "application", unknownFields: .preserve) struct Application: HalfStripe {}
        @Model(typeName: "apps.secret", unknownFields: .preserve) struct AppsSecret: HalfStripe {}
        @Model(typeName: "balance_settings", unknownFields: .preserve)
        struct BalanceSettings: HalfStripe {}
        @Model(typeName: "bank_account", unknownFields: .preserve) struct BankAccount: HalfStripe {}
        @Model(typeName: "billing.alert_triggered", unknownFields: .preserve)
        struct BillingAlertTriggered: HalfStripe {}
        @Model(typeName: "billing.credit_balance_transaction", unknownFields: .preserve)
        struct BillingCreditBalanceTransaction: HalfStripe {}
        @Model(typeName: "billing.meter", unknownFields: .preserve) struct BillingMeter: HalfStripe
        {}
        @Model(typeName: "billing.meter_event_adjustment", unknownFields: .preserve)
        struct BillingMeterEventAdjustment: HalfStripe {}
        @Model(typeName: "billing_portal.configuration", unknownFields: .preserve)
        struct BillingPortalConfiguration: HalfStripe {}
        @Model(typeName: "capability", unknownFields: .preserve) struct Capability: HalfStripe {}
        @Model(typeName: "cash_balance", unknownFields: .preserve) struct CashBalance: HalfStripe {}
        @Model(typeName: "checkout.session", unknownFields: .preserve)
        struct CheckoutSession: HalfStripe {}
        @Model(typeName: "climate.product", unknownFields: .preserve)
        struct ClimateProduct: HalfStripe {}
        @Model(typeName: "confirmation_token", unknownFields: .preserve)
        struct ConfirmationToken: HalfStripe {}
        @Model(typeName: "coupon", unknownFields: .preserve) struct Coupon: HalfStripe {}
        @Model(typeName: "credit_note_line_item", unknownFields: .preserve)
        struct CreditNoteLineItem: HalfStripe {}
        @Model(typeName: "customer_balance_transaction", unknownFields: .preserve)
        struct CustomerBalanceTransaction: HalfStripe {}
        @Model(typeName: "customer_session", unknownFields: .preserve)
        struct CustomerSession: HalfStripe {}
        @Model(typeName: "dispute", unknownFields: .preserve) struct Dispute: HalfStripe {}
        @Model(typeName: "entitlements.active_entitlement_summary", unknownFields: .preserve)
        struct EntitlementsActiveEntitlementSummary: HalfStripe {}
        @Model(typeName: "ephemeral_key", unknownFields: .preserve) struct EphemeralKey: HalfStripe
        {}
        @Model(typeName: "exchange_rate", unknownFields: .preserve) struct ExchangeRate: HalfStripe
        {}
        @Model(typeName: "file", unknownFields: .preserve) struct File: HalfStripe {}
        @Model(typeName: "financial_connections.account", unknownFields: .preserve)
        struct FinancialConnectionsAccount: HalfStripe {}
        @Model(typeName: "financial_connections.account_ownership", unknownFields: .preserve)
        struct FinancialConnectionsAccountOwnership: HalfStripe {}
        @Model(typeName: "financial_connections.session", unknownFields: .preserve)
        struct FinancialConnectionsSession: HalfStripe {}
        @Model(typeName: "forwarding.request", unknownFields: .preserve)
        struct ForwardingRequest: HalfStripe {}
        @Model(typeName: "identity.verification_report", unknownFields: .preserve)
        struct IdentityVerificationReport: HalfStripe {}
        @Model(typeName: "invoice", unknownFields: .preserve) struct Invoice: HalfStripe {}
        @Model(typeName: "invoice_rendering_template", unknownFields: .preserve)
        struct InvoiceRenderingTemplate: HalfStripe {}
        @Model(typeName: "issuing.authorization", unknownFields: .preserve)
        struct IssuingAuthorization: HalfStripe {}
        @Model(typeName: "issuing.cardholder", unknownFields: .preserve)
        struct IssuingCardholder: HalfStripe {}
        @Model(typeName: "issuing.personalization_design", unknownFields: .preserve)
        struct IssuingPersonalizationDesign: HalfStripe {}
        @Model(typeName: "issuing.settlement", unknownFields: .preserve)
        struct IssuingSettlement: HalfStripe {}
        @Model(typeName: "issuing.transaction", unknownFields: .preserve)
        struct IssuingTransaction: HalfStripe {}
        @Model(typeName: "line_item", unknownFields: .preserve) struct LineItem: HalfStripe {}
        @Model(typeName: "list", unknownFields: .preserve) struct List: HalfStripe {
            var data: [any HalfStripe]
        }
        @Model(typeName: "login_link", unknownFields: .preserve) struct LoginLink: HalfStripe {}
        @Model(typeName: "payment_attempt_record", unknownFields: .preserve)
        struct PaymentAttemptRecord: HalfStripe {}
        @Model(typeName: "payment_intent_amount_details_line_item", unknownFields: .preserve)
        struct PaymentIntentAmountDetailsLineItem: HalfStripe {}
        @Model(typeName: "payment_method", unknownFields: .preserve)
        struct PaymentMethod: HalfStripe {}
        @Model(typeName: "payment_method_domain", unknownFields: .preserve)
        struct PaymentMethodDomain: HalfStripe {}
        @Model(typeName: "payout", unknownFields: .preserve) struct Payout: HalfStripe {}
        @Model(typeName: "plan", unknownFields: .preserve) struct Plan: HalfStripe {}
        @Model(typeName: "product", unknownFields: .preserve) struct Product: HalfStripe {}
        @Model(typeName: "promotion_code", unknownFields: .preserve)
        struct PromotionCode: HalfStripe {}
        @Model(typeName: "radar.early_fraud_warning", unknownFields: .preserve)
        struct RadarEarlyFraudWarning: HalfStripe {}
        @Model(typeName: "radar.value_list", unknownFields: .preserve)
        struct RadarValueList: HalfStripe {}
        @Model(typeName: "refund", unknownFields: .preserve) struct Refund: HalfStripe {}
        @Model(typeName: "reporting.report_type", unknownFields: .preserve)
        struct ReportingReportType: HalfStripe {}
        @Model(typeName: "reserve.plan", unknownFields: .preserve) struct ReservePlan: HalfStripe {}
        @Model(typeName: "review", unknownFields: .preserve) struct Review: HalfStripe {}
        @Model(typeName: "setup_attempt", unknownFields: .preserve) struct SetupAttempt: HalfStripe
        {}
        @Model(typeName: "shipping_rate", unknownFields: .preserve) struct ShippingRate: HalfStripe
        {}
        @Model(typeName: "source", unknownFields: .preserve) struct Source: HalfStripe {}
        @Model(typeName: "source_transaction", unknownFields: .preserve)
        struct SourceTransaction: HalfStripe {}
        @Model(typeName: "subscription_item", unknownFields: .preserve)
        struct SubscriptionItem: HalfStripe {}
        @Model(typeName: "tax.association", unknownFields: .preserve)
        struct TaxAssociation: HalfStripe {}
        @Model(typeName: "tax.calculation_line_item", unknownFields: .preserve)
        struct TaxCalculationLineItem: HalfStripe {}
        @Model(typeName: "tax.settings", unknownFields: .preserve) struct TaxSettings: HalfStripe {}
        @Model(typeName: "tax.transaction_line_item", unknownFields: .preserve)
        struct TaxTransactionLineItem: HalfStripe {}
        @Model(typeName: "tax_id", unknownFields: .preserve) struct TaxId: HalfStripe {}
        @Model(typeName: "terminal.configuration", unknownFields: .preserve)
        struct TerminalConfiguration: HalfStripe {}
        @Model(typeName: "terminal.location", unknownFields: .preserve)
        struct TerminalLocation: HalfStripe {}
        @Model(typeName: "terminal.reader", unknownFields: .preserve)
        struct TerminalReader: HalfStripe {}
        @Model(typeName: "test_helpers.test_clock", unknownFields: .preserve)
        struct TestHelpersTestClock: HalfStripe {}
        @Model(typeName: "topup", unknownFields: .preserve) struct Topup: HalfStripe {}
        @Model(typeName: "transfer_reversal", unknownFields: .preserve)
        struct TransferReversal: HalfStripe {}
        @Model(typeName: "treasury.debit_reversal", unknownFields: .preserve)
        struct TreasuryDebitReversal: HalfStripe {}
        @Model(typeName: "treasury.financial_account_features", unknownFields: .preserve)
        struct TreasuryFinancialAccountFeatures: HalfStripe {}
        @Model(typeName: "treasury.outbound_payment", unknownFields: .preserve)
        struct TreasuryOutboundPayment: HalfStripe {}
        @Model(typeName: "treasury.received_credit", unknownFields: .preserve)
        struct TreasuryReceivedCredit: HalfStripe {}
        @Model(typeName: "treasury.transaction", unknownFields: .preserve)
        struct TreasuryTransaction: HalfStripe {}
        @Model(typeName: "webhook_endpoint", unknownFields: .preserve)
        struct WebhookEndpoint: HalfStripe {}
    }
    enum Streams {
        @Model(unknownFields: .preserve) struct Accept: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Add: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Application: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Article: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Block: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct CollectionPage: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Delete: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Document: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Flag: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Group: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Image: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Join: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Like: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Listen: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Move: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Object: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct OrderedCollection: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Organization: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Person: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Profile: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Read: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Relationship: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Service: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct TentativeReject: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Travel: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct Update: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(unknownFields: .preserve) struct View: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(typeName: "gsp:Geometry", unknownFields: .preserve) struct GspGeometry: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(typeName: "http://example.org/Organization", unknownFields: .preserve)
        struct HttpExampleOrgOrganization: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(typeName: "http://example.org/Role", unknownFields: .preserve)
        struct HttpExampleOrgRole: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
        @Model(typeName: "http://www.types.example/flightstatus", unknownFields: .preserve)
        struct HttpWwwTypesExampleFlightstatus: HalfStream {
            var type: ModelDocument; var object: (any HalfStream)?; var actor: (any HalfStream)?;
            var items: (any HalfStream)?
        }
    }
    enum Geo {
        @Model(unknownFields: .preserve) struct Feature: HalfGeo { var geometry: any HalfGeo }
        @Model(unknownFields: .preserve) struct FeatureCollection: HalfGeo {
            var features: [any HalfGeo]
        }
        @Model(unknownFields: .preserve) struct GeometryCollection: HalfGeo {
            var geometries: [any HalfGeo]
        }
        @Model(unknownFields: .preserve) struct Point: HalfGeo { var coordinates: [ModelDocument] }
        @Model(unknownFields: .preserve) struct Polygon: HalfGeo {}
    }
    enum Hooks {
        @Model(typeName: "branch_protection_rule", unknownFields: .preserve)
        struct BranchProtectionRule: HalfHook { var action: String? }
        @Model(typeName: "check_suite", unknownFields: .preserve) struct CheckSuite: HalfHook {
            var action: String?
        }
        @Model(typeName: "commit_comment", unknownFields: .preserve) struct CommitComment: HalfHook
        { var action: String? }
        @Model(typeName: "delete", unknownFields: .preserve) struct Delete: HalfHook {
            var action: String?
        }
        @Model(typeName: "deploy_key", unknownFields: .preserve) struct DeployKey: HalfHook {
            var action: String?
        }
        @Model(typeName: "deployment_review", unknownFields: .preserve)
        struct DeploymentReview: HalfHook { var action: String? }
        @Model(typeName: "discussion", unknownFields: .preserve) struct Discussion: HalfHook {
            var action: String?
        }
        @Model(typeName: "fork", unknownFields: .preserve) struct Fork: HalfHook {
            var action: String?
        }
        @Model(typeName: "gollum", unknownFields: .preserve) struct Gollum: HalfHook {
            var action: String?
        }
        @Model(typeName: "installation_repositories", unknownFields: .preserve)
        struct InstallationRepositories: HalfHook { var action: String? }
        @Model(typeName: "issues", unknownFields: .preserve) struct Issues: HalfHook {
            var action: String?
        }
        @Model(typeName: "marketplace_purchase", unknownFields: .preserve)
        struct MarketplacePurchase: HalfHook { var action: String? }
        @Model(typeName: "membership", unknownFields: .preserve) struct Membership: HalfHook {
            var action: String?
        }
        @Model(typeName: "meta", unknownFields: .preserve) struct Meta: HalfHook {
            var action: String?
        }
        @Model(typeName: "org_block", unknownFields: .preserve) struct OrgBlock: HalfHook {
            var action: String?
        }
        @Model(typeName: "package", unknownFields: .preserve) struct Package: HalfHook {
            var action: String?
        }
        @Model(typeName: "ping", unknownFields: .preserve) struct Ping: HalfHook {
            var action: String?
        }
        @Model(typeName: "project_card", unknownFields: .preserve) struct ProjectCard: HalfHook {
            var action: String?
        }
        @Model(typeName: "projects_v2_item", unknownFields: .preserve)
        struct ProjectsV2Item: HalfHook { var action: String? }
        @Model(typeName: "pull_request", unknownFields: .preserve) struct PullRequest: HalfHook {
            var action: String?
        }
        @Model(typeName: "pull_request_review_comment", unknownFields: .preserve)
        struct PullRequestReviewComment: HalfHook { var action: String? }
        @Model(typeName: "push", unknownFields: .preserve) struct Push: HalfHook {
            var action: String?
        }
        @Model(typeName: "release", unknownFields: .preserve) struct Release: HalfHook {
            var action: String?
        }
        @Model(typeName: "repository_dispatch", unknownFields: .preserve)
        struct RepositoryDispatch: HalfHook { var action: String? }
        @Model(typeName: "repository_vulnerability_alert", unknownFields: .preserve)
        struct RepositoryVulnerabilityAlert: HalfHook { var action: String? }
        @Model(typeName: "security_advisory", unknownFields: .preserve)
        struct SecurityAdvisory: HalfHook { var action: String? }
        @Model(typeName: "star", unknownFields: .preserve) struct Star: HalfHook {
            var action: String?
        }
        @Model(typeName: "team", unknownFields: .preserve) struct Team: HalfHook {
            var action: String?
        }
        @Model(typeName: "watch", unknownFields: .preserve) struct Watch: HalfHook {
            var action: String?
        }
        @Model(typeName: "workflow_job", unknownFields: .preserve) struct WorkflowJob: HalfHook {
            var action: String?
        }
    }
}
