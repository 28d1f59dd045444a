import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { FormError, TextAreaField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { clientFormActions } from '#modules/core/form-actions.server.ts'
import { MessageList } from '../components/message-list.tsx'
import { messageFields } from '../fields.ts'
import { OwnMessage } from '../forms.ts'
import { findOwnThread } from '../queries/messages.ts'
import { markOwnRead, sendOwnMessage } from '../services/messages.ts'
import { loadThread } from '../thread-view.ts'

export const handle = { scripts: false }

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Messages')

const path = '/portal/messages'

/** Marks what it shows as read: nothing loads a page of the portal but its reader. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await context.client()
  const before = parseId(new URL(request.url).searchParams.get('before')) || null
  const [thread, own] = await Promise.all([
    loadThread(ctx, { clientId: ctx.client!.id, before, reader: 'client' }),
    findOwnThread(ctx),
  ])
  const { lastId } = thread
  if (before === null && lastId !== null && own?.unread) await ctx.write((tx) => markOwnRead(tx, lastId))
  return { thread, coach: context.tenant!.name }
}

const messages = { send: { done: 'Message sent', failed: 'Failed to send the message.' } }

export const action = clientFormActions(
  messages,
  { send: { schema: OwnMessage, run: (ctx, input) => sendOwnMessage(ctx, input), to: () => path } },
  { home: path },
)

export default function PortalMessagesPage() {
  const { thread, coach } = useLoaderData<typeof loader>()
  const { form, fields } = useServerForm(messageFields, { id: 'message', intent: 'send' })
  return (
    <>
      <h1 className="mb-8 font-serif text-4xl text-balance">Messages</h1>
      {thread.messages.length ? (
        <MessageList thread={thread} other={coach} path={path} />
      ) : (
        <p className="text-ink-2">No messages yet. Write the first one to {coach}.</p>
      )}
      <Form method="post" action={path} {...form.props} className="mt-6 grid gap-3">
        <input type="hidden" name="intent" value="send" />
        <FormError id={form.errorId} errors={form.errors} />
        <TextAreaField field={fields.content} rows={4} />
        <button type="submit" className="btn btn-primary btn-lg justify-self-start max-sm:w-full">
          Send Message
        </button>
      </Form>
    </>
  )
}
