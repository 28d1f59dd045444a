import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { NotFoundNotice } from '#app/shell/error-page.tsx'
import { loadShellData } from '#app/shell/shell-data.server.ts'
import { AppShell } from '#app/shell/shell.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, '404 Page Not Found')

/** Signed in, the 404 page keeps the shell and needs its data. Signed out, the root's error boundary renders it. */
export async function loader({ context }: LoaderFunctionArgs) {
  if (!context.account) throw data(null, { status: 404 })
  return data({ shell: await loadShellData(context) }, { status: 404 })
}

export function action() {
  throw data(null, { status: 404 })
}

export default function NotFoundPage() {
  const { shell } = useLoaderData<typeof loader>()
  return (
    <AppShell {...shell}>
      <div className="grid min-h-[70dvh] place-items-center px-gutter py-10">
        <NotFoundNotice />
      </div>
    </AppShell>
  )
}
