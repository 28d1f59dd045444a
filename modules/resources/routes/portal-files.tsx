import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { PortalFileRows } from '../components/portal-file-rows.tsx'
import { loadPortalFilesPage } from '../portal.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Your files')

export const loader = async ({ context }: LoaderFunctionArgs) => loadPortalFilesPage(await context.client())

export default function PortalFilesPage() {
  const { files } = useLoaderData<typeof loader>()
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Shared with you</h1>
      {files.length ? (
        <section className="card mt-8 overflow-hidden" aria-label="Shared with you">
          <PortalFileRows files={files} />
        </section>
      ) : (
        <p className="mt-3 text-ink-2">Nothing has been shared with you yet.</p>
      )}
    </>
  )
}
