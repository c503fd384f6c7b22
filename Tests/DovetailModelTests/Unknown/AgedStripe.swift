import Dovetail

// The types of Stripe in HalfCorpora.swift one version later, see AgedCorpora.swift.

extension AgedCorpus {
    enum Stripe {
        @Model(typeName: "account", version: 2, unknownFields: .preserve) struct Account: AgedStripe
        { var identifier: String? }
        @Model(typeName: "account_session", version: 2, unknownFields: .preserve)
        struct AccountSession: AgedStripe { var identifier: String? }
        @Model(typeName: "application", version: 2, unknownFields: .preserve)
        struct Application: AgedStripe { var identifier: String? }
        @Model(typeName: "apps.secret", version: 2, unknownFields: .preserve)
        struct AppsSecret: AgedStripe { var identifier: String? }
        @Model(typeName: "balance_settings", version: 2, unknownFields: .preserve)
        struct BalanceSettings: AgedStripe { var identifier: String? }
        @Model(typeName: "bank_account", version: 2, unknownFields: .preserve)
        struct BankAccount: AgedStripe { var identifier: String? }
        @Model(typeName: "billing.alert_triggered", version: 2, unknownFields: .preserve)
        struct BillingAlertTriggered: AgedStripe { var identifier: String? }
        @Model(typeName: "billing.credit_balance_transaction", version: 2, unknownFields: .preserve)
        struct BillingCreditBalanceTransaction: AgedStripe { var identifier: String? }
        @Model(typeName: "billing.meter", version: 2, unknownFields: .preserve)
        struct BillingMeter: AgedStripe { var identifier: String? }
        @Model(typeName: "billing.meter_event_adjustment", version: 2, unknownFields: .preserve)
        struct BillingMeterEventAdjustment: AgedStripe { var identifier: String? }
        @Model(typeName: "billing_portal.configuration", version: 2, unknownFields: .preserve)
        struct BillingPortalConfiguration: AgedStripe { var identifier: String? }
        @Model(typeName: "capability", version: 2, unknownFields: .preserve)
        struct Capability: AgedStripe { var identifier: String? }
        @Model(typeName: "cash_balance", version: 2, unknownFields: .preserve)
        struct CashBalance: AgedStripe { var identifier: String? }
        @Model(typeName: "checkout.session", version: 2, unknownFields: .preserve)
        struct CheckoutSession: AgedStripe { var identifier: String? }
        @Model(typeName: "climate.product", version: 2, unknownFields: .preserve)
        struct ClimateProduct: AgedStripe { var identifier: String? }
        @Model(typeName: "confirmation_token", version: 2, unknownFields: .preserve)
        struct ConfirmationToken: AgedStripe { var identifier: String? }
        @Model(typeName: "coupon", version: 2, unknownFields: .preserve) struct Coupon: AgedStripe {
            var identifier: String?
        }
        @Model(typeName: "credit_note_line_item", version: 2, unknownFields: .preserve)
        struct CreditNoteLineItem: AgedStripe { var identifier: String? }
        @Model(typeName: "customer_balance_transaction", version: 2, unknownFields: .preserve)
        struct CustomerBalanceTransaction: AgedStripe { var identifier: String? }
        @Model(typeName: "customer_session", version: 2, unknownFields: .preserve)
        struct CustomerSession: AgedStripe { var identifier: String? }
        @Model(typeName: "dispute", version: 2, unknownFields: .preserve) struct Dispute: AgedStripe
        { var identifier: String? }
        @Model(
            typeName: "entitlements.active_entitlement_summary",
            version: 2,
            unknownFields: .preserve
        )
        struct EntitlementsActiveEntitlementSummary: AgedStripe { var identifier: String? }
        @Model(typeName: "ephemeral_key", version: 2, unknownFields: .preserve)
        struct EphemeralKey: AgedStripe { var identifier: String? }
        @Model(typeName: "exchange_rate", version: 2, unknownFields: .preserve)
        struct ExchangeRate: AgedStripe { var identifier: String? }
        @Model(typeName: "file", version: 2, unknownFields: .preserve) struct File: AgedStripe {
            var identifier: String?
        }
        @Model(typeName: "financial_connections.account", version: 2, unknownFields: .preserve)
        struct FinancialConnectionsAccount: AgedStripe { var identifier: String? }
        @Model(
            typeName: "financial_connections.account_ownership",
            version: 2,
            unknownFields: .preserve
        )
        struct FinancialConnectionsAccountOwnership: AgedStripe { var identifier: String? }
        @Model(typeName: "financial_connections.session", version: 2, unknownFields: .preserve)
        struct FinancialConnectionsSession: AgedStripe { var identifier: String? }
        @Model(typeName: "forwarding.request", version: 2, unknownFields: .preserve)
        struct ForwardingRequest: AgedStripe { var identifier: String? }
        @Model(typeName: "identity.verification_report", version: 2, unknownFields: .preserve)
        struct IdentityVerificationReport: AgedStripe { var identifier: String? }
        @Model(typeName: "invoice", version: 2, unknownFields: .preserve) struct Invoice: AgedStripe
        { var identifier: String? }
        @Model(typeName: "invoice_rendering_template", version: 2, unknownFields: .preserve)
        struct InvoiceRenderingTemplate: AgedStripe { var identifier: String? }
        @Model(typeName: "issuing.authorization", version: 2, unknownFields: .preserve)
        struct IssuingAuthorization: AgedStripe { var identifier: String? }
        @Model(typeName: "issuing.cardholder", version: 2, unknownFields: .preserve)
        struct IssuingCardholder: AgedStripe { var identifier: String? }
        @Model(typeName: "issuing.personalization_design", version: 2, unknownFields: .preserve)
        struct IssuingPersonalizationDesign: AgedStripe { var identifier: String? }
        @Model(typeName: "issuing.settlement", version: 2, unknownFields: .preserve)
        struct IssuingSettlement: AgedStripe { var identifier: String? }
        @Model(typeName: "issuing.transaction", version: 2, unknownFields: .preserve)
        struct IssuingTransaction: AgedStripe { var identifier: String? }
        @Model(typeName: "line_item", version: 2, unknownFields: .preserve)
        struct LineItem: AgedStripe { var identifier: String? }
        @Model(typeName: "list", version: 2, unknownFields: .preserve) struct List: AgedStripe {
            var identifier: String?
            var data: [any AgedStripe]
        }
        @Model(typeName: "login_link", version: 2, unknownFields: .preserve)
        struct LoginLink: AgedStripe { var identifier: String? }
        @Model(typeName: "payment_attempt_record", version: 2, unknownFields: .preserve)
        struct PaymentAttemptRecord: AgedStripe { var identifier: String? }
        @Model(
            typeName: "payment_intent_amount_details_line_item",
            version: 2,
            unknownFields: .preserve
        )
        struct PaymentIntentAmountDetailsLineItem: AgedStripe { var identifier: String? }
        @Model(typeName: "payment_method", version: 2, unknownFields: .preserve)
        struct PaymentMethod: AgedStripe { var identifier: String? }
        @Model(typeName: "payment_method_domain", version: 2, unknownFields: .preserve)
        struct PaymentMethodDomain: AgedStripe { var identifier: String? }
        @Model(typeName: "payout", version: 2, unknownFields: .preserve) struct Payout: AgedStripe {
            var identifier: String?
        }
        @Model(typeName: "plan", version: 2, unknownFields: .preserve) struct Plan: AgedStripe {
            var identifier: String?
        }
        @Model(typeName: "product", version: 2, unknownFields: .preserve) struct Product: AgedStripe
        { var identifier: String? }
        @Model(typeName: "promotion_code", version: 2, unknownFields: .preserve)
        struct PromotionCode: AgedStripe { var identifier: String? }
        @Model(typeName: "radar.early_fraud_warning", version: 2, unknownFields: .preserve)
        struct RadarEarlyFraudWarning: AgedStripe { var identifier: String? }
        @Model(typeName: "radar.value_list", version: 2, unknownFields: .preserve)
        struct RadarValueList: AgedStripe { var identifier: String? }
        @Model(typeName: "refund", version: 2, unknownFields: .preserve) struct Refund: AgedStripe {
            var identifier: String?
        }
        @Model(typeName: "reporting.report_type", version: 2, unknownFields: .preserve)
        struct ReportingReportType: AgedStripe { var identifier: String? }
        @Model(typeName: "reserve.plan", version: 2, unknownFields: .preserve)
        struct ReservePlan: AgedStripe { var identifier: String? }
        @Model(typeName: "review", version: 2, unknownFields: .preserve) struct Review: AgedStripe {
            var identifier: String?
        }
        @Model(typeName: "setup_attempt", version: 2, unknownFields: .preserve)
        struct SetupAttempt: AgedStripe { var identifier: String? }
        @Model(typeName: "shipping_rate", version: 2, unknownFields: .preserve)
        struct ShippingRate: AgedStripe { var identifier: String? }
        @Model(typeName: "source", version: 2, unknownFields: .preserve) struct Source: AgedStripe {
            var identifier: String?
        }
        @Model(typeName: "source_transaction", version: 2, unknownFields: .preserve)
        struct SourceTransaction: AgedStripe { var identifier: String? }
        @Model(typeName: "subscription_item", version: 2, unknownFields: .preserve)
        struct SubscriptionItem: AgedStripe { var identifier: String? }
        @Model(typeName: "tax.association", version: 2, unknownFields: .preserve)
        struct TaxAssociation: AgedStripe { var identifier: String? }
        @Model(typeName: "tax.calculation_line_item", version: 2, unknownFields: .preserve)
        struct TaxCalculationLineItem: AgedStripe { var identifier: String? }
        @Model(typeName: "tax.settings", version: 2, unknownFields: .preserve)
        struct TaxSettings: AgedStripe { var identifier: String? }
        @Model(typeName: "tax.transaction_line_item", version: 2, unknownFields: .preserve)
        struct TaxTransactionLineItem: AgedStripe { var identifier: String? }
        @Model(typeName: "tax_id", version: 2, unknownFields: .preserve) struct TaxId: AgedStripe {
            var identifier: String?
        }
        @Model(typeName: "terminal.configuration", version: 2, unknownFields: .preserve)
        struct TerminalConfiguration: AgedStripe { var identifier: String? }
        @Model(typeName: "terminal.location", version: 2, unknownFields: .preserve)
        struct TerminalLocation: AgedStripe { var identifier: String? }
        @Model(typeName: "terminal.reader", version: 2, unknownFields: .preserve)
        struct TerminalReader: AgedStripe { var identifier: String? }
        @Model(typeName: "test_helpers.test_clock", version: 2, unknownFields: .preserve)
        struct TestHelpersTestClock: AgedStripe { var identifier: String? }
        @Model(typeName: "topup", version: 2, unknownFields: .preserve) struct Topup: AgedStripe {
            var identifier: String?
        }
        @Model(typeName: "transfer_reversal", version: 2, unknownFields: .preserve)
        struct TransferReversal: AgedStripe { var identifier: String? }
        @Model(typeName: "treasury.debit_reversal", version: 2, unknownFields: .preserve)
        struct TreasuryDebitReversal: AgedStripe { var identifier: String? }
        @Model(
            typeName: "treasury.financial_account_features",
            version: 2,
            unknownFields: .preserve
        )
        struct TreasuryFinancialAccountFeatures: AgedStripe { var identifier: String? }
        @Model(typeName: "treasury.outbound_payment", version: 2, unknownFields: .preserve)
        struct TreasuryOutboundPayment: AgedStripe { var identifier: String? }
        @Model(typeName: "treasury.received_credit", version: 2, unknownFields: .preserve)
        struct TreasuryReceivedCredit: AgedStripe { var identifier: String? }
        @Model(typeName: "treasury.transaction", version: 2, unknownFields: .preserve)
        struct TreasuryTransaction: AgedStripe { var identifier: String? }
        @Model(typeName: "webhook_endpoint", version: 2, unknownFields: .preserve)
        struct WebhookEndpoint: AgedStripe { var identifier: String? }
    }
}
