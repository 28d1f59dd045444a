import { redirect, type AppLoadContext, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Form, useLoaderData, useNavigation } from '@remix-run/react'
import { exportMessages, LatestExport, MakeExport } from '#app/shell/export-parts.tsx'
import { loadExport } from '#app/shell/export.server.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button } from '#app/ui/components/button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { NoInput, publicFormActions } from '#modules/core/form-actions.server.ts'
import { formatErasure, reopenAccount } from '#tenants/accounts/closing.ts'
import { PasswordCheck } from '#tenants/auth/forms.ts'
import type { Ctx } from '#tenants/context.ts'
import { requestExport } from '#tenants/exports/exports.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Closed account')

/** All that an account shows while it is closed. */
export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = requireClosed(context)
  const { closedAt } = context.requestContext.viewer.closed!
  return {
    email: ctx.account.email,
    day: formatErasure(new Date(closedAt), ctx.account.timezone),
    latest: await loadExport(ctx),
  }
}

/** Throws a redirect: to the sign-in, or to the practice of an account that is open. */
function requireClosed(context: AppLoadContext): Ctx {
  const ctx = context.closedCoach()
  if (!ctx) throw redirect(context.account ? '/dashboard' : '/auth')
  return ctx
}

const messages = {
  ...exportMessages,
  reopen: {
    done: {
      title: 'Your account is open again',
      text: 'Everything in it is as it was. Choose your plan again if you paid for one.',
    },
    failed: 'Failed to reopen your account. Please try again.',
  },
}

export const action = publicFormActions(
  messages,
  {
    export: {
      schema: PasswordCheck,
      run: (context, { currentPassword }) =>
        requestExport(requireClosed(context), currentPassword, context.requestContext),
    },
    reopen: {
      schema: NoInput,
      run: (context) => reopenAccount(requireClosed(context), context.requestContext),
      to: () => '/dashboard',
      onError: () => ({ to: '/closed' }),
    },
  },
  { home: '/closed', authorize: (context) => void requireClosed(context) },
)

export const clientAction = formClientAction(messages)

export default function ClosedPage() {
  const { email, day, latest } = useLoaderData<typeof loader>()
  const navigation = useNavigation()
  const busy = navigation.state !== 'idle' && navigation.formData?.get('intent') === 'reopen'
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid w-full max-w-2xl gap-6 px-5 py-10 outline-none sm:py-16">
      <div>
        <h1 className="title">Your account closes on {day}</h1>
        <p className="mt-2 text-ink-2 wrap-anywhere">
          You closed the account of {email}. Until {day} you can reopen it as it was. Then everything in it is deleted,
          and nobody can bring it back.
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Form method="post">
          <Button type="submit" variant="primary" name="intent" value="reopen" busy={busy} busyLabel="Reopening...">
            Reopen Account
          </Button>
        </Form>
        <Form method="post" action="/logout">
          <Button type="submit">Sign Out</Button>
        </Form>
      </div>
      {latest && (
        <Card title="Your export">
          <LatestExport latest={latest} />
        </Card>
      )}
      <Card title="Export your data">
        <MakeExport />
      </Card>
    </main>
  )
}
