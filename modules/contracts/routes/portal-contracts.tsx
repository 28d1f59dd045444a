import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { PortalContractRows } from '../components/portal-contract-rows.tsx'
import { loadPortalContractsPage } from '../portal.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Your contracts')

export const loader = async ({ context }: LoaderFunctionArgs) => loadPortalContractsPage(await context.client())

export default function PortalContractsPage() {
  const { contracts } = useLoaderData<typeof loader>()
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Your contracts</h1>
      {contracts.length ? (
        <section className="card mt-8 overflow-hidden" aria-label="Your contracts">
          <PortalContractRows contracts={contracts} label="Your contracts" />
        </section>
      ) : (
        <p className="mt-3 text-ink-2">There are no contracts yet.</p>
      )}
    </>
  )
}
