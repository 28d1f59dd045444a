import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { describeType } from '../booking/describe-type.ts'
import { openAsVisitor } from '../booking/permissions.ts'
import { TypeSummary } from '../components/booking/type-list.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { bookingUrl } from '../booking/booking-url.ts'
import { allowEmbedding } from '../embedding/embed-origins.ts'
import { listPublicTypes } from '../queries/bookable-types.ts'

/** Plain HTML: a visitor's phone loads no scripts. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Book a session')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await openAsVisitor(context)
  const [types, isEmbedded] = await Promise.all([
    listPublicTypes(ctx),
    allowEmbedding(context, ctx, new URL(request.url)),
  ])
  return {
    isEmbedded,
    bio: context.tenant?.bio ?? null,
    types: types.map((type) => describeType(type, ctx.account.currency)),
  }
}

export default function BookPage() {
  const { bio, types, isEmbedded } = useLoaderData<typeof loader>()
  return (
    <div className="mx-auto max-w-[44rem] px-gutter pt-6 sm:pt-10">
      <h1 className="font-serif text-4xl text-balance">Book a session</h1>
      {bio && <p className="prose-serif mt-3 whitespace-pre-line text-ink-2 wrap-anywhere">{bio}</p>}
      {types.length ? (
        <ul className="rows mt-6 overflow-hidden rounded-2xl border border-line">
          {types.map((type) => (
            <li key={type.slug}>
              <Link
                to={bookingUrl(type.slug).href({ embed: isEmbedded ? '1' : null })}
                className="group flex px-6 py-4 hover:bg-brand-soft"
              >
                <TypeSummary type={type} />
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-6 text-ink-2">There is nothing to book here at the moment.</p>
      )}
    </div>
  )
}
