import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { exportMessages, LatestExport, MakeExport } from '#app/shell/export-parts.tsx'
import { loadExport } from '#app/shell/export.server.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { publicFormActions } from '#modules/core/form-actions.server.ts'
import { PasswordCheck } from '#tenants/auth/forms.ts'
import { requestExport } from '#tenants/exports/exports.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Export')

export async function loader({ context }: LoaderFunctionArgs) {
  return { latest: await loadExport(context.coach()) }
}

/** Without a transaction of the route: checking a password takes long, and must not hold one open. */
export const action = publicFormActions(
  exportMessages,
  {
    export: {
      schema: PasswordCheck,
      run: ({ coach, requestContext }, { currentPassword }) => requestExport(coach(), currentPassword, requestContext),
    },
  },
  { home: '/settings/export', authorize: (context) => void context.coach() },
)

export const clientAction = formClientAction(exportMessages)

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export default function ExportPage() {
  const { latest } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Export"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Settings', to: '/settings' }, { label: 'Export' }]}
      description="Everything of your practice in one file, to keep or to take with you."
    >
      <div className="grid max-w-2xl gap-6">
        {latest && (
          <Card title="Your export">
            <LatestExport latest={latest} />
          </Card>
        )}
        <Card title="Make an export">
          <MakeExport />
        </Card>
      </div>
    </Page>
  )
}
