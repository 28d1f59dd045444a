import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle, useBrand } from '#app/ui/components/branding.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ContactForm } from '../components/contact-form.tsx'
import { contactAction } from '../contact/contact-action.server.ts'
import { openContactForm, signContactForm } from '../contact/open.server.ts'
import { contactFields } from '../fields.ts'

/** Plain HTML: a visitor's phone loads no scripts. */
export const handle = { scripts: false }

/** The form is on the public page, too: search engines need it once. */
export const meta: MetaFunction = ({ matches }) => [
  ...pageTitle(matches, 'Contact'),
  { name: 'robots', content: 'noindex' },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await openContactForm(context)
  return { isSent: new URL(request.url).searchParams.has('sent'), signature: signContactForm(ctx) }
}

export const action = contactAction

export default function ContactPage() {
  const { isSent } = useLoaderData<typeof loader>()
  return <div className="mx-auto max-w-[44rem] px-gutter pt-6 sm:pt-10">{isSent ? <Sent /> : <WriteMessage />}</div>
}

function Sent() {
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Your message was sent</h1>
      <p className="mt-3 text-ink-2" role="status">
        Thank you. You will get an answer by email.
      </p>
      <BackToPage />
    </>
  )
}

function WriteMessage() {
  const { signature } = useLoaderData<typeof loader>()
  const { form, fields, submitted } = useServerForm(contactFields, { id: 'contact', intent: 'send' })
  const brand = useBrand()
  const sentSignature = submitted?.signature
  return (
    <>
      <h1 className="font-serif text-4xl text-balance">Contact</h1>
      {brand && <p className="mt-3 mb-6 text-ink-2 wrap-anywhere">Your message goes to {brand.name}.</p>}
      <ContactForm
        fields={fields}
        // The same form stays the same one, unless it was refused because of its age.
        signature={typeof sentSignature === 'string' && form.errors === undefined ? sentSignature : signature}
        errors={form.errors}
      />
      <BackToPage />
    </>
  )
}

function BackToPage() {
  return (
    <p className="mt-6">
      <Link className="link hit" to="/" reloadDocument>
        Back to the page
      </Link>
    </p>
  )
}
