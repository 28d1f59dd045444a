import { Form, useNavigation } from '@remix-run/react'
import { Download, Mail, Pencil, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button, ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { owners } from '../fields.ts'
import { sessionUrl } from '../list-state.ts'
import type { SessionPage } from '../session-loader.server.ts'
import { ApproveForm } from './approve-form.tsx'

type Summary = NonNullable<SessionPage['summary']>
type ClaimView = Summary['takeaways'][number]

/** The summary with its sources, and what the coach does with it. */
export function SummaryCard(props: SessionPage & { summary: Summary }) {
  const { id, client, summary } = props
  const { status, statusLabel, approvedOn, sharedOn } = summary
  const aside = <Badge tone={status === 'draft' ? 'warning' : 'success'}>{statusLabel}</Badge>
  if (status === 'draft')
    return (
      <Card title="Summary" aside={aside}>
        <ApproveForm
          {...props}
          links={<SummaryLinks {...props} />}
          renderAction={(action, children) => (
            <>
              {action.text} {children ? null : <ActionFacts {...action} clientName={client?.name ?? null} />}{' '}
              <Citation id={id} {...action} />
              {children}
            </>
          )}
        >
          <SummaryText id={id} summary={summary} />
        </ApproveForm>
      </Card>
    )
  return (
    <Card title="Summary" aside={aside}>
      <div className="grid gap-6 border-t border-line-soft px-5 py-5">
        <SummaryText id={id} summary={summary} />
        <Claims title="Action items">
          {summary.actions.map((action, index) => (
            <ClaimItem key={index} id={id} {...action}>
              <ActionFacts {...action} clientName={client?.name ?? null} />
              {action.task && (
                <>
                  {' '}
                  <TaskLink {...action.task} />
                </>
              )}
            </ClaimItem>
          ))}
        </Claims>
        {(sharedOn ?? approvedOn) && (
          <p className="text-sm text-ink-3">
            {sharedOn
              ? `Shared ${summary.sharedBy === 'email' ? 'by email ' : ''}on ${sharedOn}.`
              : `Approved on ${approvedOn}. ${client ? 'It is on the timeline of the client.' : ''}`}
          </p>
        )}
        {summary.url && (
          <div className="flex min-w-0 gap-2">
            <input className="input min-w-0 flex-1" readOnly aria-label="Link for the client" value={summary.url} />
            <CopyButton text={summary.url} />
          </div>
        )}
      </div>
      <SummaryActions {...props} />
    </Card>
  )
}

/** How the summary was made, its sentences and takeaways. */
function SummaryText({ id, summary: { isExtract, overview, takeaways } }: { id: number; summary: Summary }) {
  return (
    <>
      <p className="note">
        {isExtract
          ? 'This is an extract: sentences chosen from the transcript, nothing is added. Each one opens the line that it is from.'
          : 'A model wrote this summary from the transcript. Check it before you approve it: each sentence opens the line that it cites.'}
      </p>
      <Overview id={id} claims={overview} />
      <Claims title="Key takeaways">
        {takeaways.map((claim, index) => (
          <ClaimItem key={index} id={id} {...claim} />
        ))}
      </Claims>
    </>
  )
}

function TaskLink({ to, isDone }: NonNullable<Summary['actions'][number]['task']>) {
  return (
    <Link className="link font-sans text-sm" to={to}>
      {isDone ? 'Task, done' : 'Task'}
    </Link>
  )
}

function Overview({ id, claims }: { id: number; claims: ClaimView[] }) {
  if (!claims.length) return null
  return (
    <p className="prose-serif max-w-prose wrap-anywhere">
      {claims.map((claim, index) => (
        <span key={index}>
          {claim.text} <Citation id={id} {...claim} />{' '}
        </span>
      ))}
    </p>
  )
}

function Claims({ title, children }: { title: string; children: ReactNode[] }) {
  if (!children.length) return null
  return (
    <div>
      <h3 className="mb-2 text-sm font-semibold text-ink-2">{title}</h3>
      <ul className="grid max-w-prose list-disc gap-2 pl-5 font-serif" aria-label={title}>
        {children}
      </ul>
    </div>
  )
}

function ClaimItem({ id, children, ...claim }: ClaimView & { id: number; children?: ReactNode }) {
  return (
    <li className="wrap-anywhere">
      {claim.text} {children} <Citation id={id} {...claim} />
    </li>
  )
}

/** Opens the line of the transcript. Without the transcript, the quote is shown. */
function Citation({ id, line, quote }: ClaimView & { id: number }) {
  if (line !== null)
    return (
      <Link
        className="link num font-sans text-sm"
        to={`${sessionUrl(id).href({ line })}#line-${line}`}
        title={quote}
        aria-label={`Line ${line} of the transcript`}
      >
        [{line}]
      </Link>
    )
  return quote ? <span className="font-sans text-sm text-ink-3">“{quote}”</span> : null
}

type ActionFactsProps = Pick<Summary['actions'][number], 'owner' | 'due'> & { clientName: string | null }

function ActionFacts({ owner, due, clientName }: ActionFactsProps) {
  const who = owner === 'client' ? (clientName ?? owners.client) : owner && owners[owner]
  const facts = [who, due && `by ${due}`].filter(Boolean).join(', ')
  return facts ? <span className="font-sans text-sm text-ink-3">{facts}</span> : null
}

type ActionsProps = Pick<SessionPage, 'id' | 'state' | 'client'> & { summary: Summary }

function SummaryLinks({ id, state, summary: { id: summaryId } }: ActionsProps) {
  return (
    <>
      <ButtonLink
        variant="danger-ghost"
        className="-ml-2.5"
        to={sessionUrl(id).href(state, { dialog: 'delete-summary' })}
        replace
        preventScrollReset
      >
        Delete
      </ButtonLink>
      <HistoryLink kind="session_summary" id={summaryId} />
      <DownloadLink id={id} format="summary" label="Text" />
      <DownloadLink id={id} format="summary-pdf" label="PDF" />
    </>
  )
}

function DownloadLink({ id, format, label }: { id: number; format: string; label: string }) {
  return (
    <a
      className="btn btn-ghost"
      href={`/session-summaries/${id}/export?format=${format}`}
      aria-label={`Download the summary as ${label}`}
    >
      <Download className="i" />
      {label}
    </a>
  )
}

function SummaryActions(props: ActionsProps) {
  const {
    id,
    state,
    client,
    summary: { id: summaryId, status, sharedBy },
  } = props
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line-soft px-5 py-3">
      <SummaryLinks {...props} />
      <ButtonLink variant="ghost" to={sessionUrl(id).href(state, { dialog: 'unapprove' })} replace preventScrollReset>
        Back to Draft
      </ButtonLink>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
        <ButtonLink icon={Pencil} to={`/session-summaries/${id}/edit`}>
          Edit
        </ButtonLink>
        {/* One button, so that the focus stays on it. */}
        {status === 'shared' ? (
          <ActionButton intent="unshare" id={summaryId} label="Stop Sharing" />
        ) : (
          <ActionButton intent="share" id={summaryId} label="Mark as Shared" />
        )}
        {client && (
          <ActionButton
            intent="email"
            id={summaryId}
            label={status === 'shared' && sharedBy === 'email' ? 'Email Again' : 'Email to Client'}
            icon={Mail}
            variant={status === 'shared' ? 'secondary' : 'primary'}
          />
        )}
      </div>
    </div>
  )
}

type ActionButtonProps = {
  intent: string
  id: number
  label: string
  icon?: LucideIcon
  variant?: 'primary' | 'secondary'
}

function ActionButton({ intent, id, label, icon, variant = 'secondary' }: ActionButtonProps) {
  const { formData } = useNavigation()
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" variant={variant} {...(icon ? { icon } : {})} busy={formData?.get('intent') === intent}>
        {label}
      </Button>
    </Form>
  )
}
