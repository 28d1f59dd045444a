import { assertMergeUndo, assertProduct, clientDeleted, recordsMoved, sellProduct } from '#modules/crm/index.ts'
import { subscribe } from '../core/events.ts'
import { defineModule } from '../core/manifest.ts'
import { implementHook } from '../core/hooks.ts'
import { automationTriggers } from './automations.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { metrics } from './metrics.ts'
import {
  productCreated,
  productUpdated,
  purchaseCreated,
  purchaseUpdated,
  invoiceIssued,
  invoiceVoided,
  paymentReceived,
  paymentRefunded,
} from './events.ts'
import { migrations } from './migrations.ts'
import { getProduct } from './queries/products.ts'
import { revenueQuery } from './queries/purchases.ts'
import { permissions } from './permissions.ts'
import { practiceExport } from './practice-export.ts'
import { recordKinds } from './trash.ts'
import { search } from './search.ts'
import { InvoiceFile } from './documents/schema.ts'
import { closeLinksOfClient, emailPaymentLink, paymentLinkQueue } from './sales/payment-links.ts'
import { forgetUnpaidSales } from './sales/forget.ts'
import { onlineSales } from './sales/online-sales.ts'
import { Sale } from './sales/schema.ts'
import {
  BillingSettings,
  Invoice,
  InvoiceLine,
  LedgerEntry,
  PaymentEmail,
  Product,
  Purchase,
  ReceiptEmail,
} from './schema.ts'
import { seed } from './seed.ts'
import { InvoiceReminder } from './reminders/schema.ts'
import { planReminders, reminderQueue, sendReminder } from './reminders/send.ts'
import { emailInvoice, emailQueue, emailReminder } from './services/invoice-emails.ts'
import { notifyPayment, paymentQueue, type PaymentJob } from './services/payment-emails.ts'
import { emailReceipt, receiptQueue } from './services/receipt-emails.ts'
import { assertNoNewMoney } from './services/merge-undo.ts'
import { reconcileLedgers } from './services/reconcile.ts'
import { moveTotal } from './services/ledger.ts'
import { createPendingPurchase } from './services/purchases.ts'

export default defineModule({
  id: 'billing',
  title: 'Products and payments',
  dependsOn: ['crm'],
  entities: [
    Product,
    BillingSettings,
    Invoice,
    InvoiceLine,
    Purchase,
    LedgerEntry,
    InvoiceFile,
    InvoiceReminder,
    PaymentEmail,
    ReceiptEmail,
    Sale,
  ],
  publishedEvents: [
    { event: productCreated, label: 'Product added' },
    { event: productUpdated, label: 'Product changed' },
    { event: purchaseCreated, label: 'Purchase recorded' },
    { event: purchaseUpdated, label: 'Purchase changed' },
    { event: invoiceIssued, label: 'Invoice issued' },
    { event: invoiceVoided, label: 'Invoice voided' },
    { event: paymentReceived, label: 'Payment received' },
    { event: paymentRefunded, label: 'Payment refunded' },
  ],
  notifications: [
    {
      kind: 'billing.payment',
      label: 'A client pays online',
      description:
        'For an invoice, a payment link, a booking or a subscription. Not payments that you record yourself.',
    },
  ],
  automationTriggers,
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'portal/invoices', file: 'routes/portal-invoices.tsx', layout: 'portal' },
    { path: 'products', file: 'routes/products.tsx' },
    { path: 'test-purchase', file: 'routes/test-purchase.tsx', layout: 'public' },
    { path: 'payments', file: 'routes/payments.tsx' },
    { path: 'payments/links', file: 'routes/payment-links.tsx' },
    { path: 'payments/:id/edit', file: 'routes/edit-invoice.tsx' },
    { path: 'settings/billing', file: 'routes/billing-settings.tsx' },
    { path: 'invoice/:token', file: 'routes/invoice.tsx', layout: 'public' },
    { path: 'buy', file: 'routes/buy.tsx', layout: 'public' },
    { path: 'buy/:product', file: 'routes/buy-product.tsx', layout: 'public' },
    { path: 'sale/:token', file: 'routes/sale.tsx', layout: 'public' },
    { path: 'payments/export', file: 'routes/payments-export.ts', layout: 'resource', isPrivate: true },
    { path: 'clients/:id/statement', file: 'routes/statement.tsx' },
    { path: 'clients/:id/statement/pdf', file: 'routes/statement-file.ts', layout: 'resource' },
    { path: 'clients/:id/statement/csv', file: 'routes/statement-csv.ts', layout: 'resource', isPrivate: true },
    { path: 'payments/:id/pdf', file: 'routes/invoice-file.ts', layout: 'resource' },
    { path: 'payments/receipts/:entry', file: 'routes/receipt-file.ts', layout: 'resource' },
    { path: 'invoice/:token/pdf', file: 'routes/public-invoice-file.ts', layout: 'resource' },
    { path: 'purchases', file: 'routes/purchases.tsx' },
    { path: 'purchases/export', file: 'routes/purchases-export.ts', layout: 'resource', isPrivate: true },
    { path: 'clients/:id/purchases', file: 'routes/client-purchases.tsx' },
  ],
  nav: [
    {
      label: 'Products',
      to: '/products',
      otherPaths: ['/history/product'],
      icon: 'package',
      section: 'main',
      order: 50,
      permission: 'billing:product:read',
    },
    {
      label: 'Payments',
      to: '/payments',
      otherPaths: ['/history/invoice'],
      icon: 'credit-card',
      section: 'main',
      order: 70,
      permission: 'billing:invoice:read',
    },
    {
      label: 'Purchases',
      to: '/purchases',
      otherPaths: ['/history/purchase'],
      icon: 'shopping-bag',
      section: 'main',
      order: 71,
      permission: 'billing:purchase:read',
    },
  ],
  clientRecords: [
    { table: 'invoice', label: ['invoice', 'invoices'], parents: { credited_invoice_id: 'invoice' } },
    { table: 'purchase', label: ['purchase', 'purchases'], parents: { invoice_id: 'invoice' } },
    { table: 'sale', label: ['online sale', 'online sales'], parents: { invoice_id: 'invoice' } },
    { table: 'ledger_entry', parents: { purchase_id: 'purchase', invoice_id: 'invoice' } },
  ],
  recordKinds,
  search,
  contributions,
  metrics,
  onlineSales,
  counts: { monthlyRevenue: revenueQuery },
  jobs: [
    { name: 'billing.reconcile', every: '17 4 * * *', run: reconcileLedgers },
    {
      name: emailQueue,
      kind: 'email',
      // The mail server may be away for eight hours.
      retryLimit: 40,
      run: async (platform, { coachId, invoiceId, kind, reminderId }) => {
        const invoice = { coachId: Number(coachId), invoiceId: Number(invoiceId) }
        if (reminderId) await emailReminder(platform, { ...invoice, reminderId: Number(reminderId) })
        else await emailInvoice(platform, { ...invoice, kind: kind === 'reminder' ? kind : 'invoice' })
      },
    },
    {
      name: paymentLinkQueue,
      kind: 'email',
      retryLimit: 40,
      run: (platform, { coachId, saleId }) =>
        emailPaymentLink(platform, { coachId: Number(coachId), saleId: Number(saleId) }),
    },
    { name: 'billing.forget-sales', every: '27 4 * * *', keepsData: true, run: forgetUnpaidSales },
    { name: 'billing.plan-reminders', every: '7 * * * *', run: planReminders },
    {
      name: reminderQueue,
      kind: 'email',
      retryLimit: 40,
      run: (platform, { coachId, invoiceId, days }) =>
        sendReminder(platform, { coachId: Number(coachId), invoiceId: Number(invoiceId), days: Number(days) }),
    },
    {
      name: receiptQueue,
      kind: 'email',
      retryLimit: 40,
      run: (platform, { coachId, entryId }) =>
        emailReceipt(platform, { coachId: Number(coachId), entryId: Number(entryId) }),
    },
    {
      name: paymentQueue,
      kind: 'email',
      retryLimit: 40,
      run: (platform, data) => notifyPayment(platform, data as PaymentJob),
    },
  ],
  seed,
  subscribers: [
    subscribe('billing', clientDeleted, (ctx, { clientId }) => closeLinksOfClient(ctx, clientId), { keepsData: true }),
  ],
  hooks: [
    implementHook('billing', assertProduct, async (ctx, { productId }) => void (await getProduct(ctx, productId))),
    implementHook('billing', sellProduct, createPendingPurchase),
    implementHook('billing', recordsMoved, moveTotal),
    implementHook('billing', assertMergeUndo, assertNoNewMoney),
  ],
  practiceExport,
})
