import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { AppError, statusByCode } from '#app/lib/errors.ts'
import { readForm } from '#app/lib/form-submission.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import { resourceTypes } from '../fields.ts'
import { formatFileSize } from '../format.ts'
import { openShare } from '../services/shares.ts'
import { openShareLink } from '../share-link.server.ts'

/** Plain HTML. */
export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Shared with you'),
  { name: 'robots', content: 'noindex' },
]

/** The resource behind a signed link. Looking at the page doesn't count as opening. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const token = params.token ?? ''
  const link = await openShareLink(context, token)
  if (!link) return data({ shared: null, coach: null, problem: null }, { status: 404 })
  const { name, type, size, url, passwordHash } = link.share
  return data({
    shared: {
      name,
      type,
      size: size === null ? null : formatFileSize(size),
      isLink: url !== null,
      isProtected: passwordHash !== null,
      token,
    },
    coach: { name: context.tenant!.name, email: link.ctx.account.email },
    problem: new URL(request.url).searchParams.get('problem'),
  })
}

/** Opens a link: a file is downloaded from a page of its own. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const link = await openShareLink(context, params.token ?? '')
  if (!link || link.share.url === null) throw new AppError('not_found', "This link doesn't work any more.")
  const { ctx, share, clientId } = link
  const { address, userAgent } = context.requestContext
  const password = String((await readForm(request)).get('password') ?? '')
  try {
    await openShare(ctx, share, { clientId, password, device: { address, userAgent } })
    return data({ url: share.url, problem: null })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return data({ url: null, problem: error.message }, { status: statusByCode[error.code] })
  }
}

const problems: Record<string, string> = {
  password: 'This password is wrong.',
  limit: 'Too many attempts. Try again in a quarter of an hour.',
}

export default function SharedPage() {
  const { shared, coach, problem } = useLoaderData<typeof loader>()
  const opened = useActionData<typeof action>()
  if (!shared || !coach)
    return (
      <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
        <h1 className="font-serif text-4xl text-balance">This link doesn’t work any more</h1>
        <p className="mt-3 text-ink-2">
          It has expired, was withdrawn, or is incomplete. Ask the person who sent it to you.
        </p>
      </div>
    )
  const error = opened?.problem ?? (problem ? (problems[problem] ?? null) : null)
  return (
    <div className="mx-auto max-w-[40rem] px-gutter pt-8 sm:pt-14">
      <p className="text-ink-3">{coach.name} shared with you</p>
      <h1 className="mt-2 font-serif text-4xl text-balance wrap-anywhere">{shared.name}</h1>
      <p className="mt-3 text-ink-2">
        {[resourceTypes[shared.type], shared.isLink ? null : shared.size].filter(Boolean).join(', ')}
      </p>
      {opened?.url ? (
        <p className="mt-6">
          <a className="btn btn-primary btn-lg" href={opened.url} rel="noopener noreferrer">
            Go to {new URL(opened.url).hostname}
          </a>
        </p>
      ) : (
        <form
          method="post"
          noValidate
          action={shared.isLink ? `/shared/${shared.token}` : `/shared/${shared.token}/file`}
          className="mt-6 grid max-w-80 gap-4"
        >
          <FormError errors={error ? [error] : undefined} />
          {shared.isProtected && (
            <div className="field">
              <label className="label" htmlFor="password">
                Password
              </label>
              <input id="password" type="password" name="password" className="input" autoComplete="off" />
            </div>
          )}
          <button type="submit" className="btn btn-primary btn-lg justify-self-start max-sm:w-full">
            {shared.isLink ? 'Open' : 'Download'}
          </button>
        </form>
      )}
      <p className="mt-6 text-ink-3">
        Questions?{' '}
        <a className="link hit wrap-anywhere" href={`mailto:${coach.email}`}>
          Write to {coach.name}
        </a>
      </p>
    </div>
  )
}
