import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { messages } from '../action-messages.ts'
import { getCard } from '../contributions.ts'
import { settingsAction } from '../settings-action.server.ts'
import ZoomCard from '../widgets/zoom.tsx'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Zoom')

export const loader = ({ context }: LoaderFunctionArgs) => getCard(context.coach())

export const action = settingsAction

export const clientAction = formClientAction(messages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function ZoomSettingsPage() {
  const card = useLoaderData<typeof loader>()
  return (
    <Page title="Zoom" crumbs={[{ label: 'Settings', to: '/settings' }, { label: 'Zoom' }]}>
      <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-6">
        <ZoomCard data={card} />
      </div>
    </Page>
  )
}
