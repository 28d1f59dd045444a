import { Form, useNavigation } from '@remix-run/react'
import { MailWarning } from 'lucide-react'
import { Button } from '#app/ui/components/button.tsx'

/** On every page until the coach has confirmed the account's address. */
export function VerifyEmailNotice({ email }: { email: string }) {
  return (
    <section aria-label="Confirm your email" className="px-gutter pt-4">
      <div className="note mx-auto max-w-page flex-wrap items-center !bg-warning-soft !text-warning-text">
        <MailWarning className="i !mt-0 !text-warning-text" />
        <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
          Confirm your email address with the link that we sent to {email}. You need it to send invitations and emails
          and to take payments.
        </p>
        <ResendVerification size="sm" />
      </div>
    </section>
  )
}

export function ResendVerification({ size }: { size: 'sm' | 'lg' }) {
  const navigation = useNavigation()
  return (
    <Form method="post" action="/auth/verify" preventScrollReset>
      <Button
        type="submit"
        name="intent"
        value="resend"
        size={size}
        variant={size === 'lg' ? 'primary' : 'secondary'}
        busy={navigation.formData?.get('intent') === 'resend'}
        busyLabel="Sending..."
      >
        Resend Link
      </Button>
    </Form>
  )
}
