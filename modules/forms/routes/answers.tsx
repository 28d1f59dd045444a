import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Download, Send } from 'lucide-react'
import { countPages, parseId } from '#app/lib/url.ts'
import { formatDay } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink, PrimaryLink } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Tabs } from '#app/ui/components/tabs.tsx'
import type { Ctx } from '#tenants/context.ts'
import { SubmissionRows } from '../components/submission-rows.tsx'
import { submissionStates, type SubmissionState } from '../fields.ts'
import { answersUrl, exportUrl, formsUrl, formUrl, pageSize } from '../list-state.ts'
import { countSubmissions, getForm } from '../queries/form.ts'
import { listSubmissionsPage, type ListedSubmission } from '../queries/submissions.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `Answers to ${data.form.name}` : 'Answers')

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const id = parseId(params.id)
  const { status, page } = answersUrl(id).parse(request.url)
  const [form, counts, { submissions, count }] = await Promise.all([
    getForm(ctx, id),
    countSubmissions(ctx, id),
    listSubmissionsPage(ctx, { formId: id, status, page, rows: pageSize }),
  ])
  const lastPage = countPages(count, pageSize)
  if (page > lastPage) throw redirect(answersUrl(id).href({ status, page: lastPage }))
  return {
    form: { id, name: form.name, questions: form.questions.length },
    status,
    page,
    count,
    counts,
    submissions: submissions.map((one) => toView(ctx, one)),
  }
}

const toView = (ctx: Ctx, { createdAt, submittedAt, ...row }: ListedSubmission) => ({
  ...row,
  date: formatDay(submittedAt ?? createdAt, ctx.now(), ctx.account.timezone),
})

export default function AnswersPage() {
  const { form, status, page, count, counts, submissions } = useLoaderData<typeof loader>()
  const url = answersUrl(form.id)
  const total = counts.sent + counts.started + counts.submitted
  const tabs = [
    { label: `All (${total})`, to: url.href(), current: status === null },
    ...(Object.keys(submissionStates) as SubmissionState[]).map((state) => ({
      label: `${submissionStates[state]} (${counts[state]})`,
      to: url.href({ status: state }),
      current: status === state,
    })),
  ]
  return (
    <Page
      title={`Answers to ${form.name}`}
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Forms', to: '/forms' }, { label: 'Answers' }]}
      actions={
        <>
          <ButtonLink to={formUrl(form.id).href()}>Questions</ButtonLink>
          <ButtonLink icon={Download} to={exportUrl(form.id)} reloadDocument>
            Export
          </ButtonLink>
          {form.questions > 0 && (
            <PrimaryLink icon={Send} to={formsUrl.href({ dialog: 'send', form: form.id })}>
              Send Form
            </PrimaryLink>
          )}
        </>
      }
    >
      <div className="mb-4">
        <Tabs label="Answers" tabs={tabs} />
      </div>
      <div className="card overflow-hidden">
        {submissions.length ? (
          <SubmissionRows label="Answers" submissions={submissions} shows="person" />
        ) : (
          <EmptyState title="Nothing here">
            {total ? 'No form is in this state.' : 'Send this form to a client. Their answers appear here.'}
          </EmptyState>
        )}
      </div>
      {submissions.length > 0 && (
        <PageSummary
          page={page}
          size={pageSize}
          rows={submissions.length}
          count={count}
          to={(other) => url.href({ status, page: other })}
        />
      )}
    </Page>
  )
}
