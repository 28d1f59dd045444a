import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { fillSlot } from '#modules/core/slots.ts'
import { preloadWidgets, Slot } from '#modules/core/slot.tsx'

/** Plain HTML: for a phone with a slow connection. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Your page'),
  { name: 'robots', content: 'noindex' },
]

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = await context.client()
  const sections = await fillSlot(ctx, 'portal.home')
  return { name: ctx.client!.name, sections: await preloadWidgets(sections.filter(({ data }) => data !== null)) }
}

export default function PortalHome() {
  const { name, sections } = useLoaderData<typeof loader>()
  return (
    <>
      <h1 className="font-serif text-4xl text-balance wrap-anywhere">Hello {name}</h1>
      {sections.length ? (
        <div className="mt-8 grid gap-6">
          <Slot filled={sections} />
        </div>
      ) : (
        <p className="mt-3 text-ink-2">Nothing is waiting for you. What is shared with you appears here.</p>
      )}
    </>
  )
}
