import { data, redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { AppError } from '#app/lib/errors.ts'
import { safeRedirectPath } from '#app/lib/url.ts'
import { pageTitle, useBrand } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { openLink } from '#tenants/signed-link.ts'
import { signInPath } from '../paths.ts'
import { findLink, redeemLink } from '../services/sign-in.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Client sign-in'),
  { name: 'robots', content: 'noindex' },
]

/** Programs that check emails follow links: opening one uses nothing up. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const ctx = await context.visitor([])
  const link = await findLink(ctx, params.token ?? '', new URL(request.url).hostname)
  // Counted, so that nobody can try many.
  if (!link) await openLink(context, null)
  return data({ name: link?.name ?? null }, { status: link ? 200 : 404 })
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const ctx = await context.visitor([])
  const url = new URL(request.url)
  const { address, userAgent } = context.requestContext
  try {
    const token = await redeemLink(ctx, params.token ?? '', { host: url.hostname, device: { address, userAgent } })
    const next = safeRedirectPath(url.searchParams.get('next') ?? '')
    const to = next?.startsWith('/portal') ? next : '/portal'
    return redirect(to, { headers: { 'Set-Cookie': context.cookies.portal(token) } })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    // The page says that the link doesn't work any more.
    return redirect(url.pathname)
  }
}

export default function SignInLinkPage() {
  const { name } = useLoaderData<typeof loader>()
  const brand = useBrand()
  return (
    <div className="mx-auto max-w-[26rem] pt-6 sm:pt-10">
      {name === null ? (
        <>
          <h1 className="font-serif text-4xl text-balance">This link doesn’t work any more</h1>
          <p className="mt-3 text-ink-2">
            It has expired, was already used, or is incomplete. A new one takes a moment.
          </p>
          <p className="mt-6">
            <Link className="btn btn-primary btn-lg" to={signInPath()}>
              Get a New Link
            </Link>
          </p>
        </>
      ) : (
        <>
          <h1 className="font-serif text-4xl text-balance wrap-anywhere">Hello {name}</h1>
          <p className="mt-3 text-ink-2">You will stay signed in to {brand?.name} on this device.</p>
          <Form method="post" className="mt-6">
            <Button type="submit" variant="primary" size="lg" className="max-sm:w-full">
              Sign In
            </Button>
          </Form>
        </>
      )}
    </div>
  )
}
