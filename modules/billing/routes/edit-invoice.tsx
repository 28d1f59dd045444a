import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions, success } from '#modules/core/form-actions.server.ts'
import { DraftEditorForm } from '../components/draft-editor.tsx'
import { getDraftEditor } from '../draft-loader.server.ts'
import { DraftForm } from '../invoices/forms.ts'
import { paymentsUrl } from '../list-state.ts'
import { saveDraft } from '../services/invoice-drafts.ts'
import { issueInvoice } from '../services/invoices.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Edit Draft')

export async function loader({ params, context }: LoaderFunctionArgs) {
  return getDraftEditor(context.coach(), parseId(params.id))
}

const messages = { save: { done: 'Draft saved', failed: 'Failed to save the draft.' } }

export const action = formActions(
  messages,
  {
    save: {
      schema: DraftForm,
      run: async (ctx, input, { form }) => {
        const { id } = await saveDraft(ctx, input)
        // A browser without JavaScript adds lines by saving.
        if (form.has('add')) return success({ to: `/payments/${id}/edit` })
        const to = paymentsUrl.href({ dialog: 'invoice', invoice: id })
        if (form.get('issue') !== 'yes') return success({ to })
        await issueInvoice(ctx, id)
        return success({ to, toast: { text: 'Invoice issued' } })
      },
    },
  },
  { home: '/payments' },
)

export const clientAction = formClientAction(messages)

const crumbs = [{ label: 'Dashboard', to: '/dashboard' }, { label: 'Payments', to: '/payments' }, { label: 'Draft' }]

export default function EditInvoicePage() {
  const data = useLoaderData<typeof loader>()
  const { id, clientName } = data.draft
  return (
    <Page title="Edit Draft" crumbs={crumbs} description={clientName ? `An invoice for ${clientName}` : 'An invoice'}>
      <DraftEditorForm key={id} {...data} />
    </Page>
  )
}
