import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { getAppointment } from '#modules/scheduling/index.ts'
import { formActions, success } from '#modules/core/form-actions.server.ts'
import { SummaryEditor } from '../components/summary-editor.tsx'
import { SummaryForm } from '../forms.ts'
import { findSummary } from '../queries/summaries.ts'
import { summary as summaryRecord } from '../records.ts'
import { updateSummary } from '../services/summaries.ts'
import { toFormValues } from '../summary-form.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Edit Summary')

export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const appointment = await getAppointment(ctx, parseId(params.id))
  const summary = await findSummary(ctx, appointment.id)
  if (!summary) throw summaryRecord.notFound()
  return {
    appointmentId: appointment.id,
    title: appointment.title,
    name: appointment.clientName ?? appointment.prospectName ?? 'Client',
    isShared: summary.status !== 'draft',
    id: summary.id,
    version: summary.version,
    values: toFormValues(summary),
  }
}

const messages = { save: { done: 'Summary saved', failed: 'The summary could not be saved.' } }

export const action = formActions(
  messages,
  {
    save: {
      schema: SummaryForm,
      run: async (ctx, { id, version, edit }, { params }) => {
        await updateSummary(ctx, id, edit, version)
        return success({ to: `/session-summaries/${parseId(params.id)}` })
      },
    },
  },
  {},
)

export const clientAction = formClientAction(messages)

export default function EditSummaryPage() {
  const { appointmentId, title, name, isShared, id, version, values } = useLoaderData<typeof loader>()
  const closeTo = `/session-summaries/${appointmentId}`
  return (
    <Page
      title="Edit Summary"
      crumbs={[{ label: 'Session Notes', to: '/session-summaries' }, { label: title, to: closeTo }, { label: 'Edit' }]}
      {...(isShared ? { description: 'The client’s timeline changes too, and what the client sees.' } : {})}
    >
      <SummaryEditor id={id} version={version} values={values} clientName={name} closeTo={closeTo} />
    </Page>
  )
}
