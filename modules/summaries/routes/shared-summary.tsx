import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatCalendarDate, formatDate } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { openSummaryLink } from '../sharing/summary-link.server.ts'

/** Plain HTML. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Session summary'),
  { name: 'robots', content: 'noindex' },
]

/** The summary of a signed link, while the coach shares it. Without quotes: those are for the coach. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const link = await openSummaryLink(context, params.token ?? '')
  if (!link) return data({ summary: null }, { status: 404 })
  const { ctx, summary, appointment } = link
  return data({
    summary: {
      title: appointment.title,
      day: formatDate(appointment.startTime, ctx.account.timezone),
      coach: context.tenant!.name,
      email: ctx.account.email,
      overview: summary.overview.map(({ text }) => text).join(' '),
      takeaways: summary.takeaways.map(({ text }) => text),
      actions: summary.actions.map(({ text, owner, due }) => ({
        text,
        owner,
        due: due && formatCalendarDate(due, { month: 'long', day: 'numeric' }),
      })),
    },
  })
}

export default function SharedSummaryPage() {
  const { summary } = useLoaderData<typeof loader>()
  if (!summary)
    return (
      <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
        <h1 className="font-serif text-4xl text-balance">This link doesn’t work here</h1>
        <p className="mt-3 text-ink-2">
          The summary is no longer shared, or the link is incomplete. Open it from the email again, or ask your coach.
        </p>
      </div>
    )
  const { title, day, coach, email, overview, takeaways, actions } = summary
  return (
    <div className="mx-auto max-w-[40rem] px-gutter pt-8 pb-10 sm:pt-14">
      <p className="text-ink-3">{day}</p>
      <h1 className="mt-1 font-serif text-4xl text-balance wrap-anywhere">{title}</h1>
      {overview && <p className="prose-serif mt-6 wrap-anywhere">{overview}</p>}
      {takeaways.length > 0 && (
        <>
          <h2 className="mt-8 text-xl font-semibold">Key takeaways</h2>
          <ul className="mt-3 grid list-disc gap-2 pl-5 font-serif">
            {takeaways.map((text, index) => (
              <li key={index} className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
      {actions.length > 0 && (
        <>
          <h2 className="mt-8 text-xl font-semibold">What we agreed on</h2>
          <ul className="mt-3 grid list-disc gap-2 pl-5 font-serif">
            {actions.map(({ text, owner, due }, index) => (
              <li key={index} className="wrap-anywhere">
                {text}{' '}
                <span className="font-sans text-sm text-ink-3">
                  {[owner === 'client' ? 'You' : owner === 'coach' ? coach : null, due && `by ${due}`]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-10 text-ink-3">
        Questions?{' '}
        <a className="link hit wrap-anywhere" href={`mailto:${email}`}>
          Write to {coach}
        </a>
      </p>
    </div>
  )
}
