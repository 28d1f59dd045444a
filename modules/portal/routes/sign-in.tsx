import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { KeyRound, MailCheck } from 'lucide-react'
import { pageTitle, useBrand } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { passkeyFormId, PasskeyScript } from '../components/passkey-script.tsx'
import { linkMinutes, signInFields } from '../fields.ts'
import { SignIn, SignInByPasskey } from '../forms.ts'
import { signInPath, toPortalPath } from '../paths.ts'
import { signInWithPasskey } from '../services/passkeys.ts'
import { requestSignIn } from '../services/sign-in.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Client sign-in'),
  { name: 'robots', content: 'noindex' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const next = toPortalPath(searchParams.get('next'))
  if (await context.findClient()) throw redirect(next ?? '/portal')
  return { next, sent: searchParams.has('sent'), nonce: context.nonce }
}

const messages = {
  send: { done: null, failed: 'Failed to send the link. Please try again.' },
  passkey: { done: null, failed: { title: 'Sign-in failed', text: 'Please try again, or use a link.' } },
}

export const action = publicFormActions(
  messages,
  {
    send: {
      schema: SignIn,
      run: async (context, { email, next }) => {
        const { address } = context.requestContext
        await requestSignIn(await context.visitor([]), { email }, { address, next: toPortalPath(next) })
        return success({ to: '/portal/sign-in?sent' })
      },
    },
    passkey: {
      schema: SignInByPasskey,
      run: async (context, { response, next }) => {
        const { address, userAgent } = context.requestContext
        const token = await signInWithPasskey(await context.visitor([]), response, { address, userAgent })
        return success({ to: toPortalPath(next) ?? '/portal', cookies: [context.cookies.portal(token)] })
      },
      onError: (_error, { form }) => ({ to: signInPath(toPortalPath(String(form.get('next') ?? '')) ?? undefined) }),
    },
  },
  { home: signInPath() },
)

export default function SignInPage() {
  const { sent } = useLoaderData<typeof loader>()
  return <div className="mx-auto max-w-[26rem] pt-6 sm:pt-10">{sent ? <EmailSent /> : <RequestForm />}</div>
}

function RequestForm() {
  const { next } = useLoaderData<typeof loader>()
  const brand = useBrand()
  const { form, fields } = useServerForm(signInFields, { id: 'sign-in', intent: 'send' })
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Client sign-in</h1>
      <p className="mt-3 text-ink-2">
        Enter the email address that {brand?.name} has of you. We send you a link that signs you in; you need no
        password.
      </p>
      <Form method="post" action={signInPath()} {...form.props} className="mt-6 grid gap-4">
        <input type="hidden" name="intent" value="send" />
        {next && <input type="hidden" name="next" value={next} />}
        <FormError id={form.errorId} errors={form.errors} />
        <TextField field={fields.email} type="email" autoComplete="email" className="!h-11" />
        <Button type="submit" variant="primary" size="lg" className="w-full">
          Send the Link
        </Button>
      </Form>
      <PasskeySignIn />
    </>
  )
}

function PasskeySignIn() {
  const { next, nonce } = useLoaderData<typeof loader>()
  return (
    <>
      <Form
        method="post"
        action={signInPath()}
        id={passkeyFormId}
        data-options="/portal/passkey"
        hidden
        className="mt-3 grid gap-3"
      >
        <input type="hidden" name="intent" value="passkey" />
        <input type="hidden" name="response" />
        {next && <input type="hidden" name="next" value={next} />}
        <Button type="submit" size="lg" className="w-full">
          <KeyRound className="i" />
          Sign In with a Passkey
        </Button>
        <p className="hint">For clients who have added a passkey on their Account page.</p>
        <p role="alert" hidden className="error" />
      </Form>
      <PasskeyScript nonce={nonce} />
    </>
  )
}

/** The same for known and unknown addresses, so it doesn't tell who is a client. */
function EmailSent() {
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Check your inbox</h1>
      <p className="note mt-6">
        <MailCheck className="i" />
        If this is the address of a client, a link is on its way. It works once, for {linkMinutes} minutes. If it
        doesn’t arrive, look into the spam folder.
      </p>
      <p className="mt-6">
        <Link className="link hit" to={signInPath()}>
          Use another address
        </Link>
      </p>
    </>
  )
}
