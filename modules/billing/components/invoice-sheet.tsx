import { Form, useNavigation } from '@remix-run/react'
import { Ban, BellRing, Download, FileCheck, FileMinus, HandCoins, Pencil, Send, Trash2, Undo2 } from 'lucide-react'
import { Badge, StatusBadge } from '#app/ui/components/badge.tsx'
import { Button, HistoryLink, SecondaryLink, type Icon } from '#app/ui/components/button.tsx'
import { Dialog, DialogActions, DialogBody } from '#app/ui/components/dialog.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { paymentsUrl, type PaymentListState } from '../list-state.ts'
import type { InvoiceView } from '../payments-loader.server.ts'
import { InvoicePaper } from './invoice-paper.tsx'

type Sender = { name: string; logoUrl: string | null }

/** An invoice beside the list: the paper, what was paid, and what can be done next. */
export function InvoiceSheet({
  state,
  invoice,
  sender,
}: {
  state: PaymentListState
  invoice: InvoiceView
  sender: Sender
}) {
  const { id, kind, status, number, clientId, clientName, entries, can, sentAt, url, notices } = invoice
  const to = (dialog: 'pay' | 'refund' | 'credit' | 'void') => paymentsUrl.href(state, { dialog, invoice: id })
  return (
    <Dialog position="side" title={number ?? 'Draft'} closeTo={paymentsUrl.href(state)}>
      <DialogBody>
        <p className="mb-4 flex flex-wrap items-center gap-3">
          <StatusBadge status={kind === 'credit_note' ? 'credit_note' : status} />
          {clientId && clientName && (
            <Link className="link min-w-0 truncate" to={`/clients/${clientId}`}>
              {clientName}
            </Link>
          )}
          <span className="ml-auto">
            <HistoryLink kind="invoice" id={id} />
          </span>
        </p>
        {(sentAt || url) && (
          <p className="mb-4 flex flex-wrap gap-x-4 text-sm text-ink-3">
            {sentAt && <span>Sent {sentAt}</span>}
            {url && (
              <a className="link" href={url} target="_blank" rel="noreferrer">
                The client’s page
              </a>
            )}
          </p>
        )}
        {notices.map(({ tone, text }) => (
          <p key={text} className="note mb-4">
            <Badge tone={tone}>Stripe</Badge> <span className="min-w-0">{text}</span>
          </p>
        ))}
        <InvoicePaper invoice={invoice} sender={sender} />
        {entries.length > 0 && (
          <section className="mt-6" aria-label="Payments of this invoice">
            <h3 className="h2 mb-2">Payments</h3>
            <ul className="rows border-y border-line-soft">
              {entries.map((entry) => (
                <li key={entry.id} className="flex justify-between gap-3 py-2.5">
                  <span className="min-w-0">
                    {entry.label}, {entry.method}
                    <span className="flex gap-x-3 text-sm text-ink-3">
                      {entry.date}
                      {entry.hasReceipt && (
                        <a className="link hit" href={`/payments/receipts/${entry.id}`}>
                          Receipt
                        </a>
                      )}
                    </span>
                  </span>
                  <span className="num font-medium">{entry.amount}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <DialogActions>
          {can.delete && <ActionButton intent="delete" id={id} icon={Trash2} label="Delete" variant="danger-ghost" />}
          {can.issue && (
            <SecondaryLink icon={Pencil} to={`/payments/${id}/edit`}>
              Edit
            </SecondaryLink>
          )}
          {status !== 'draft' && (
            <a className="btn btn-secondary" href={`/payments/${id}/pdf`}>
              <Download className="i" />
              Download
            </a>
          )}
          {can.void && (
            <SecondaryLink icon={Ban} to={to('void')} preventScrollReset>
              Void
            </SecondaryLink>
          )}
          {can.credit && (
            <SecondaryLink icon={FileMinus} to={to('credit')} preventScrollReset>
              Credit
            </SecondaryLink>
          )}
          {can.refund && (
            <SecondaryLink icon={Undo2} to={to('refund')} preventScrollReset>
              Refund
            </SecondaryLink>
          )}
          {can.remind && (
            <ActionButton intent="remind" id={id} icon={BellRing} label="Send Reminder" variant="secondary" />
          )}
          {can.send && (
            <ActionButton
              intent="send"
              id={id}
              icon={Send}
              label={sentAt ? 'Send Again' : 'Send'}
              variant={can.issue || can.pay ? 'secondary' : 'primary'}
            />
          )}
          {can.issue && (
            <ActionButton intent="issue" id={id} icon={FileCheck} label="Issue Invoice" variant="primary" />
          )}
          {can.pay && (
            <Link className="btn btn-primary" to={to('pay')} preventScrollReset>
              <HandCoins className="i" />
              Record Payment
            </Link>
          )}
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}

function ActionButton({
  intent,
  id,
  icon: Icon,
  label,
  variant,
}: {
  intent: string
  id: number
  icon: Icon
  label: string
  variant: 'primary' | 'secondary' | 'danger-ghost'
}) {
  const navigation = useNavigation()
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" variant={variant} busy={navigation.formData?.get('intent') === intent}>
        <Icon className="i" />
        {label}
      </Button>
    </Form>
  )
}
