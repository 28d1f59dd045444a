import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Check, Mail, Trash2, X } from 'lucide-react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, ButtonLink, HistoryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { AnswerList } from '../components/answer-list.tsx'
import { StateBadge } from '../components/submission-rows.tsx'
import { clientFields, proposalStates } from '../fields.ts'
import { answersUrl, fileUrl, formUrl, submissionUrl } from '../list-state.ts'
import { approveProposal, dismissProposal } from '../services/proposals.ts'
import { deleteSubmission, resendForm, restoreSubmission } from '../services/submissions.ts'
import { getSubmission } from '../queries/submissions.ts'
import { loadSubmission, type SubmissionPage as PageData } from '../submission-loader.server.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `${data.personName}, ${data.formName}` : 'Answers')

export const loader = ({ params, request, context }: LoaderFunctionArgs) =>
  loadSubmission(context.coach(), parseId(params.id), request.url)

const messages = {
  approve: { done: 'Client updated', failed: 'Failed to update the client.' },
  dismiss: { done: 'Proposal dismissed', failed: 'Failed to dismiss the proposal.' },
  resend: { done: 'The email is on its way', failed: 'Failed to send the email.' },
  delete: { done: 'Answers deleted', failed: 'Failed to delete the answers.' },
  restore: { done: 'Answers restored', failed: 'Failed to restore the answers.' },
}

const toPage = ({ page }: { page: string }): string => page

export const action = formActions(
  messages,
  {
    approve: { schema: ById, run: (ctx, { id }) => approveProposal(ctx, id), to: toPage },
    dismiss: { schema: ById, run: (ctx, { id }) => dismissProposal(ctx, id), to: toPage },
    resend: { schema: ById, run: (ctx, { id }) => resendForm(ctx, id), to: toPage },
    delete: {
      schema: ById,
      run: async (ctx, { id }) => {
        const { formId } = await getSubmission(ctx, id)
        await deleteSubmission(ctx, id)
        return success({ to: answersUrl(formId).href() })
      },
      undo: 'restore',
    },
    restore: { schema: ById, run: (ctx, { id }) => restoreSubmission(ctx, id), to: toPage },
  },
  { dialog: ['dialog'] },
)

export const clientAction = formClientAction(messages)

export default function SubmissionPage() {
  const data = useLoaderData<typeof loader>()
  const { id, formId, formName, personName, status, questions, answers, files, proposals } = data
  return (
    <Page
      title={formName}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Answers', to: answersUrl(formId).href() },
        { label: personName },
      ]}
      actions={
        <>
          <HistoryLink kind="form_submission" id={id} />
          <ButtonLink
            variant="danger-ghost"
            icon={Trash2}
            to={submissionUrl(id).href({ dialog: 'delete' })}
            preventScrollReset
          >
            Delete
          </ButtonLink>
        </>
      }
    >
      <div className="grid items-start gap-6 xl:grid-cols-[1fr_21.5rem]">
        <Card title="Answers" aside={<StateBadge status={status} />}>
          <div className="border-t border-line-soft p-5">
            {questions ? (
              <AnswerList
                questions={questions}
                answers={answers}
                files={files}
                renderFile={({ id: fileId, fileName }) => (
                  <a className="link wrap-anywhere" href={fileUrl(id, fileId)}>
                    {fileName}
                  </a>
                )}
              />
            ) : (
              <p className="text-ink-2">{personName} hasn’t begun yet.</p>
            )}
          </div>
        </Card>
        <div className="grid gap-6">
          {proposals.length > 0 && <Proposals {...data} />}
          <Details {...data} />
        </div>
      </div>
      {data.dialog === 'delete' && (
        <ConfirmDialog
          title="Delete Answers"
          confirm="Delete Answers"
          busyLabel="Deleting..."
          closeTo={submissionUrl(id).href()}
          fields={{ intent: 'delete', id: String(id) }}
        >
          They stay in the trash for 30 days. The link stops at once.
        </ConfirmDialog>
      )}
    </Page>
  )
}

function Proposals({ proposals, clientId, personName }: PageData) {
  return (
    <Card title="Changes of the client">
      <ul className="rows border-t border-line-soft" aria-label="Changes of the client">
        {proposals.map(({ id, field, value, current, state }) => (
          <li key={id} className="grid gap-2 px-5 py-4">
            <p className="font-medium">{clientFields[field].label}</p>
            {state === 'open' ? (
              <>
                <dl className="grid gap-1 text-sm">
                  <Value label="Now" value={current} />
                  <Value label="Answer" value={value} />
                </dl>
                {clientId === null ? (
                  <p className="text-sm text-ink-3">{personName} is a prospect. Convert them first.</p>
                ) : (
                  <div className="flex flex-wrap gap-2">
                    <ProposalButton id={id} intent="approve" label={clientFields[field].label} />
                    <ProposalButton id={id} intent="dismiss" label={clientFields[field].label} />
                  </div>
                )}
              </>
            ) : (
              <p className="text-sm text-ink-3">{proposalStates[state]}</p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Value = ({ label, value }: { label: string; value: string | null }) => (
  <div className="grid grid-cols-[4rem_minmax(0,1fr)]">
    <dt className="text-ink-3">{label}</dt>
    <dd className="whitespace-pre-line wrap-anywhere">{value || 'Empty'}</dd>
  </div>
)

function ProposalButton({ id, intent, label }: { id: number; intent: 'approve' | 'dismiss'; label: string }) {
  const isApproval = intent === 'approve'
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      <Button
        type="submit"
        size="sm"
        variant={isApproval ? 'secondary' : 'ghost'}
        icon={isApproval ? Check : X}
        aria-label={`${isApproval ? 'Approve' : 'Dismiss'}: ${label}`}
      >
        {isApproval ? 'Approve' : 'Dismiss'}
      </Button>
    </Form>
  )
}

function Details(data: PageData) {
  const { id, formId, formVersion, clientId, personName, source, sentAt, emailedAt, submittedAt, expiresAt } = data
  const facts = [
    ['Sent', sentAt],
    ['Emailed', emailedAt],
    ['Answered', submittedAt],
    [data.isExpired ? 'Expired' : 'Link works until', data.status === 'submitted' ? null : expiresAt],
  ] as const
  return (
    <Card title="Details">
      <dl className="grid gap-3 border-t border-line-soft p-5">
        <Fact label={clientId === null ? 'Prospect' : 'Client'}>
          {clientId === null ? (
            personName
          ) : (
            <Link className="link wrap-anywhere" to={`/clients/${clientId}`}>
              {personName}
            </Link>
          )}
        </Fact>
        <Fact label="Form">
          <Link className="link" to={formUrl(formId).href()}>
            {formVersion === null ? 'Open the form' : `Version ${formVersion}`}
          </Link>
        </Fact>
        <Fact label="Source">{source}</Fact>
        {facts.map(
          ([label, value]) =>
            value && (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ),
        )}
      </dl>
      {data.link && (
        <div className="grid gap-3 border-t border-line-soft p-5">
          <input className="input" readOnly value={data.link} aria-label="Link" />
          <div className="flex flex-wrap gap-2">
            <CopyButton text={data.link} />
            {data.canEmail && (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="intent" value="resend" />
                <input type="hidden" name="id" value={id} />
                <Button type="submit" icon={Mail}>
                  {emailedAt ? 'Email Again' : 'Email Link'}
                </Button>
              </Form>
            )}
          </div>
        </div>
      )}
    </Card>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-ink-3">{label}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)
