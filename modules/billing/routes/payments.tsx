import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { BellRing, Download, Plus, ScrollText, Settings, X } from 'lucide-react'
import { countPages } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink, SecondaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { LoadErrorPage } from '#app/ui/components/load-error.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import type { PublicLink } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { CreateInvoiceDialog } from '../components/create-invoice-dialog.tsx'
import { CreditNoteDialog } from '../components/credit-note-dialog.tsx'
import { ExportDialog } from '../components/export-dialog.tsx'
import { PurchasesIllustration } from '../components/illustrations.tsx'
import { InvoiceAmountDialog } from '../components/invoice-amount-dialog.tsx'
import { InvoiceSheet } from '../components/invoice-sheet.tsx'
import { PaymentsTable } from '../components/payments-table.tsx'
import { RemindersDialog } from '../components/reminders-dialog.tsx'
import { CreateInvoiceForm, CreditNoteForm, PaymentForm, RefundForm, RemindersForm } from '../invoices/forms.ts'
import { pageSize, paymentsUrl, statementUrl, statusFilters, withoutInvoice } from '../list-state.ts'
import { getCreateInvoiceDialog, getInvoiceView, getPaymentsPage } from '../payments-loader.server.ts'
import { getReminderSettings, updateReminderSettings } from '../reminders/settings.ts'
import { getPeriod } from '../statements/query.ts'
import { remindOfInvoice, sendInvoice } from '../services/invoice-emails.ts'
import { createCreditNote, recordPaymentOnDate, refundInvoice } from '../services/invoice-payments.ts'
import { createSimpleInvoice, deleteInvoice, issueInvoice, restoreInvoice, voidInvoice } from '../services/invoices.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Payments')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { dialog, invoice: id, clientSearch, ...state } = paymentsUrl.parse(request.url)
  const [list, createInvoice, reminders, invoice] = await Promise.all([
    getPaymentsPage(ctx, state),
    dialog === 'create' ? getCreateInvoiceDialog(ctx, clientSearch, state.client) : null,
    dialog === 'reminders' ? getReminderSettings(ctx) : null,
    isInvoiceDialog(dialog) ? getInvoiceView(ctx, id ?? 0) : null,
  ])
  const lastPage = countPages(list.count, pageSize)
  if (state.page > lastPage) throw redirect(paymentsUrl.href(state, { page: lastPage }))
  const { businessName, firstName, lastName, logoUrl } = ctx.account
  const sender = { name: businessName ?? `${firstName} ${lastName}`, logoUrl }
  return {
    state,
    dialog,
    ...list,
    createInvoice,
    reminders,
    invoice,
    sender,
    period: getPeriod(ctx, { from: null, to: null }),
    tabs: (await fillSlot(ctx, 'payments.link')).map(({ data }) => data as PublicLink),
  }
}

const isInvoiceDialog = (dialog: string | null): boolean =>
  dialog !== null && !['create', 'reminders', 'export'].includes(dialog)

const messages = {
  create: { done: 'Invoice Created', failed: 'Failed to create invoice.' },
  send: { done: 'The invoice is on its way', failed: 'Failed to send the invoice.' },
  remind: { done: 'The reminder is on its way', failed: 'Failed to send the reminder.' },
  reminders: { done: 'Reminders saved', failed: 'Failed to save the reminders.' },
  issue: { done: 'Invoice issued', failed: 'Failed to issue the invoice.' },
  pay: { done: 'Payment recorded', failed: 'Failed to record the payment.' },
  refund: { done: 'Refund recorded', failed: 'Failed to record the refund.' },
  credit: { done: 'Credit note issued', failed: 'Failed to issue the credit note.' },
  void: { done: 'Invoice voided', failed: 'Failed to void the invoice.' },
  delete: { done: 'Draft deleted', failed: 'Failed to delete the draft.' },
  restore: { done: 'Draft restored', failed: 'Failed to restore the draft.' },
}

const toSheet = ({ page }: { page: string }, id: number): string =>
  paymentsUrl.href(paymentsUrl.parse(page), { dialog: 'invoice', invoice: id, clientSearch: '' })

export const action = formActions(
  messages,
  {
    create: {
      schema: CreateInvoiceForm,
      run: async (ctx, input, request) => {
        const draft = request.form.get('draft') === 'yes'
        const { id } = await createSimpleInvoice(ctx, input, { draft })
        return success({ to: toSheet(request, id), ...(draft ? { toast: { text: 'Draft saved' } } : {}) })
      },
    },
    send: { schema: ById, run: (ctx, { id }) => sendInvoice(ctx, id), to: ({ page }) => page },
    remind: { schema: ById, run: (ctx, { id }) => remindOfInvoice(ctx, id), to: ({ page }) => page },
    reminders: {
      schema: RemindersForm,
      run: (ctx, { version, sends, days }) =>
        updateReminderSettings(ctx, { sendsReminders: sends === 'yes', reminderDays: days }, version),
    },
    issue: { schema: ById, run: (ctx, { id }) => issueInvoice(ctx, id), to: ({ page }) => page },
    pay: {
      schema: PaymentForm,
      run: async (ctx, { id, receipt, ...payment }, request) => {
        await recordPaymentOnDate(ctx, id, { ...payment, sendReceipt: receipt === 'yes' })
        return success({ to: toSheet(request, id) })
      },
    },
    refund: {
      schema: RefundForm,
      run: async (ctx, { id, ...refund }, request) => {
        await refundInvoice(ctx, id, refund)
        return success({ to: toSheet(request, id) })
      },
    },
    credit: {
      schema: CreditNoteForm,
      run: async (ctx, { id, ...credit }, request) => {
        const note = await createCreditNote(ctx, id, credit)
        return success({ to: toSheet(request, note.id) })
      },
    },
    void: {
      schema: ById,
      run: async (ctx, { id }, request) => {
        await voidInvoice(ctx, id)
        return success({ to: toSheet(request, id) })
      },
    },
    delete: { schema: ById, run: (ctx, { id }) => deleteInvoice(ctx, id), undo: 'restore' },
    restore: { schema: ById, run: (ctx, { id }) => restoreInvoice(ctx, id), to: ({ page }) => page },
  },
  { home: paymentsUrl.href(), dialog: Object.keys(withoutInvoice) },
)

export const clientAction = formClientAction(messages)

const filterLabels: Record<(typeof statusFilters)[number], string> = {
  draft: 'Drafts',
  unpaid: 'Unpaid',
  overdue: 'Overdue',
  paid: 'Paid',
  refunded: 'Refunded or credited',
  void: 'Void',
}

export default function PaymentsPage() {
  const data = useLoaderData<typeof loader>()
  const { state, client, totals, rows, count, tabs } = data
  return (
    <Page
      title="Payments"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Payments' }]}
      description={client && `Invoices and payments of ${client.name}`}
      actions={
        <>
          <SecondaryLink icon={Settings} to="/settings/billing">
            Settings
          </SecondaryLink>
          {client && !client.inTrash && (
            <SecondaryLink icon={ScrollText} to={statementUrl(client.id).href()}>
              Statement
            </SecondaryLink>
          )}
          <SecondaryLink icon={Download} to={paymentsUrl.href(state, { dialog: 'export' })} preventScrollReset>
            Export
          </SecondaryLink>
          <SecondaryLink icon={BellRing} to={paymentsUrl.href(state, { dialog: 'reminders' })} preventScrollReset>
            Reminders
          </SecondaryLink>
          <PrimaryLink icon={Plus} to={paymentsUrl.href(state, { dialog: 'create' })} preventScrollReset>
            Create Invoice
          </PrimaryLink>
        </>
      }
    >
      <div className="mb-6">
        <Tabs label="Payments" tabs={tabs.map((tab) => ({ ...tab, current: tab.to === '/payments' }))} />
      </div>
      <Stats
        className="mb-8"
        stats={[
          { label: 'Total Revenue', value: totals.revenue, detail: 'received, less refunds' },
          {
            label: 'Pending',
            value: totals.outstanding,
            detail: totals.overdue ? `${totals.overdue} overdue` : 'nothing overdue',
            to: paymentsUrl.href({ client: state.client, status: 'unpaid' }),
          },
          { label: 'Total Invoices', value: totals.invoices.toLocaleString('en-US') },
        ]}
      />
      <Filters state={state} clientName={client?.name ?? null} />
      {rows.length ? (
        <>
          <PaymentsTable state={state} rows={rows} />
          <PageSummary
            page={state.page}
            size={pageSize}
            rows={rows.length}
            count={count}
            to={(page) => paymentsUrl.href(state, { page })}
          />
        </>
      ) : (
        <NoInvoices isFiltered={Boolean(state.q || state.status || state.client)} />
      )}
      <OpenDialog {...data} />
    </Page>
  )
}

type PageData = ReturnType<typeof useLoaderData<typeof loader>>

function Filters({ state, clientName }: { state: PageData['state']; clientName: string | null }) {
  return (
    <FilterForm
      action="/payments"
      values={{ q: state.q, status: state.status ?? '', client: state.client ? String(state.client) : '' }}
      className="mb-4 flex flex-wrap items-center gap-3"
    >
      {state.client && <input type="hidden" name="client" value={state.client} />}
      <SearchField
        label="Search by description"
        placeholder="Search by description"
        value={state.q}
        className="basis-full sm:max-w-80 sm:flex-1 sm:basis-64"
      />
      <div className="min-w-0 flex-1 sm:max-w-52">
        <select
          aria-label="Status"
          name="status"
          defaultValue={state.status ?? ''}
          className="input select input-quiet"
        >
          <option value="">All statuses</option>
          {statusFilters.map((status) => (
            <option key={status} value={status}>
              {filterLabels[status]}
            </option>
          ))}
        </select>
      </div>
      {clientName && (
        <Link className="btn btn-ghost" to={paymentsUrl.href(state, { client: null, page: 1 })}>
          <X className="i" />
          <span className="min-w-0 truncate">All clients</span>
        </Link>
      )}
      <noscript>
        <button type="submit" className="btn btn-secondary">
          Show
        </button>
      </noscript>
    </FilterForm>
  )
}

function NoInvoices({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="card">
      {isFiltered ? (
        <EmptyState title="No invoices found" action={<ButtonLink to={paymentsUrl.href()}>Clear filters</ButtonLink>}>
          No invoices match these filters.
        </EmptyState>
      ) : (
        <EmptyState
          title="No invoices yet"
          illustration={<PurchasesIllustration />}
          action={
            <ButtonLink variant="primary" icon={Plus} to={paymentsUrl.href({ dialog: 'create' })} preventScrollReset>
              Create Invoice
            </ButtonLink>
          }
        >
          Choose a client and an amount: the invoice gets its number by itself.
        </EmptyState>
      )}
    </div>
  )
}

function OpenDialog({ state, dialog, createInvoice, reminders, invoice, sender, period }: PageData) {
  if (createInvoice) return <CreateInvoiceDialog {...createInvoice} />
  if (reminders) return <RemindersDialog state={state} settings={reminders} />
  if (dialog === 'export') return <ExportDialog state={state} {...period} />
  if (!dialog || !isInvoiceDialog(dialog)) return null
  if (!invoice) return <NotFoundDialog label="Invoice" kind="invoice" closeTo={paymentsUrl.href(state)} />
  const { can, id, number } = invoice
  if ((dialog === 'pay' && can.pay) || (dialog === 'refund' && can.refund))
    return <InvoiceAmountDialog key={`${dialog} ${id}`} intent={dialog} state={state} invoice={invoice} />
  if (dialog === 'credit' && can.credit) return <CreditNoteDialog state={state} invoice={invoice} />
  if (dialog === 'void' && can.void)
    return (
      <ConfirmDialog
        title={`Void ${number}?`}
        confirm="Void Invoice"
        busyLabel="Voiding..."
        closeTo={paymentsUrl.href(state, { dialog: 'invoice', invoice: id })}
        fields={{ intent: 'void', id: String(id) }}
      >
        It keeps its number and stays in the books, but nothing is left to pay.
      </ConfirmDialog>
    )
  return <InvoiceSheet state={state} invoice={invoice} sender={sender} />
}

export function ErrorBoundary() {
  return (
    <LoadErrorPage
      title="Payments"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Payments' }]}
      heading="Failed to fetch payments"
    >
      Your payments are safe. Try again in a moment.
    </LoadErrorPage>
  )
}
