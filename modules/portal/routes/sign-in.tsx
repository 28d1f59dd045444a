import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { MailCheck } from 'lucide-react'
import { safeRedirectPath } from '#app/lib/url.ts'
import { pageTitle, useBrand } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { FormError, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { publicFormActions, success } from '#modules/core/form-actions.server.ts'
import { linkMinutes, signInFields } from '../fields.ts'
import { SignIn } from '../forms.ts'
import { signInPath } from '../paths.ts'
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
  return { next, sent: searchParams.has('sent') }
}

/** A page of the portal; null for any other. */
const toPortalPath = (path: string | null | undefined): string | null => {
  const safe = safeRedirectPath(path ?? '')
  return safe && /^\/portal(\/|$|\?)/.test(safe) ? safe : null
}

const messages = { send: { done: null, failed: 'Failed to send the link. Please try again.' } }

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
