import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { CoachPage } from '#app/shell/coach-page.tsx'
import { Landing } from '#app/marketing/landing.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import type { PublicLink } from '#modules/core/manifest.ts'
import { fillSlot } from '#modules/core/slots.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) => [
  ...pageTitle(matches),
  ...(data?.description ? [{ name: 'description', content: data.description }] : []),
]

/** Redirects to the dashboard if signed in. Otherwise the coach's public page or, on the platform, the landing page. */
export async function loader({ context }: LoaderFunctionArgs) {
  if (context.account) throw redirect('/dashboard')
  const year = context.now().getUTCFullYear()
  if (context.tenant) {
    const { bio } = context.tenant
    const slots = await fillSlot(await context.visitor([]), 'home.link')
    const links = slots.flatMap(({ data }) => (data as PublicLink | null) ?? [])
    return { coach: { bio, links }, description: bio?.slice(0, 160) ?? null, year }
  }
  return {
    coach: null,
    description:
      'Clients, bookings, payments and session notes for independent coaches, in one quiet place ' +
      'that carries your name.',
    year,
  }
}

export default function Home() {
  const { coach, year } = useLoaderData<typeof loader>()
  return coach ? <CoachPage {...coach} /> : <Landing year={year} />
}
