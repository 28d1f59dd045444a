import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { PortalFormRows } from '../components/portal-form-rows.tsx'
import { loadPortalFormsPage } from '../portal.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Your forms')

export const loader = async ({ context }: LoaderFunctionArgs) => loadPortalFormsPage(await context.client())

export default function PortalFormsPage() {
  const { open, answered } = useLoaderData<typeof loader>()
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Your forms</h1>
      {!open.length && <p className="mt-3 text-ink-2">No form is waiting for your answers.</p>}
      <div className="mt-8 grid gap-6">
        {open.length > 0 && (
          <Card title="To answer">
            <PortalFormRows forms={open} label="To answer" />
          </Card>
        )}
        {answered.length > 0 && (
          <Card title="Answered">
            <PortalFormRows forms={answered} label="Answered" />
          </Card>
        )}
      </div>
    </>
  )
}
