import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react'
import { Send, User } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Button, SecondaryLink } from '#app/ui/components/button.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { FormError, TextAreaField } from '#app/ui/forms/field.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import { useIsomorphicLayoutEffect } from '#app/ui/use-isomorphic-layout-effect.ts'
import { getClient } from '#modules/crm/index.ts'
import { formActions, success } from '#modules/core/form-actions.server.ts'
import { FilePicker } from '../components/file-picker.tsx'
import { MessageList } from '../components/message-list.tsx'
import { messageFields } from '../fields.ts'
import { FindFilesForm, MessageForm, ReadForm } from '../forms.ts'
import { listFileChoices, type FileChoices } from '../queries/attachments.ts'
import { markRead, sendMessage } from '../services/messages.ts'
import { loadThread } from '../thread-view.ts'
import { useFetcher } from '#app/ui/forms/use-fetcher.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `Messages with ${data.client.name}` : 'Messages')

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  const { id, name } = await getClient(ctx, parseId(params.id))
  const before = parseId(new URL(request.url).searchParams.get('before')) || null
  const [thread, files] = await Promise.all([
    loadThread(ctx, { clientId: id, before, reader: 'coach' }),
    listFileChoices(ctx, { clientId: id, q: '', chosen: [] }),
  ])
  return { client: { id, name }, thread, files, before }
}

const messages = {
  send: { done: null, failed: 'Failed to send the message.' },
  find: { done: null, failed: 'Failed to search your resources.' },
  read: { done: null, failed: 'Failed to mark the messages as read.' },
}

export const action = formActions(
  messages,
  {
    send: {
      schema: MessageForm,
      run: (ctx, { clientId, ...message }) => sendMessage(ctx, clientId, message),
      // The end of the thread, where the new message is.
      to: ({ params }) => `/messages/${parseId(params.id)}`,
      onError: ({ subject }) =>
        subject === 'resource'
          ? { field: 'attachmentIds', message: 'One of these resources is no longer available. Choose again.' }
          : undefined,
    },
    find: {
      schema: FindFilesForm,
      run: async (ctx, { clientId, files: q = '', content = '', attachmentIds: chosen }) => {
        const files = await listFileChoices(ctx, { clientId, q, chosen })
        // As after a failure: the form keeps its input.
        const isThere = (id: number) => files?.choices.some((choice) => choice.id === id)
        const input = { intent: 'send', content, attachmentIds: chosen.filter(isThere).map(String) }
        return success({ data: { result: { initialValue: input }, files } })
      },
    },
    read: {
      schema: ReadForm,
      run: async (ctx, input) => {
        await markRead(ctx, input)
        // Data, not a redirect: one would scroll to the top, and close the question before the user leaves.
        return success({ data: {} })
      },
    },
  },
  {},
)

export const clientAction = formClientAction(messages)

export default function ThreadPage() {
  const { client, thread, files, before } = useLoaderData<typeof loader>()
  useMarkRead(client.id, before === null ? thread.lastId : null)
  const path = `/messages/${client.id}`
  const sentCount = useSentCount(before === null)
  return (
    <Page
      title={client.name}
      crumbs={[{ label: 'Messages', to: '/messages' }, { label: client.name }]}
      actions={
        <SecondaryLink icon={User} to={`/clients/${client.id}`}>
          View Client
        </SecondaryLink>
      }
    >
      <div className="max-w-[46rem]">
        {thread.messages.length ? (
          <MessageList thread={thread} other={client.name} path={path} />
        ) : (
          <p className="text-ink-3">No messages yet. {client.name} reads and answers them in the portal.</p>
        )}
        {/* A new form for another client and after each sent message, but not with other messages. */}
        <WriteForm key={`${client.id} ${sentCount}`} client={client} newestFiles={files} />
      </div>
    </Page>
  )
}

type WriteFormProps = { client: { id: number; name: string }; newestFiles: FileChoices | null }

function WriteForm({ client, newestFiles }: WriteFormProps) {
  const sending = useServerForm(messageFields, { id: 'message', intent: 'send' })
  const searching = useServerForm(messageFields, { id: 'message', intent: 'find' })
  // A search that fails keeps the message too.
  const { form, fields, submitted } = searching.submitted ? searching : sending
  const found = useActionData<{ files?: FileChoices | null }>()?.files
  const files = found ?? newestFiles
  return (
    <Form method="post" {...form.props} className="mt-6 grid gap-3" preventScrollReset>
      <input type="hidden" name="clientId" value={client.id} />
      <FormError id={form.errorId} errors={form.errors} />
      <TextAreaField field={fields.content} rows={4} />
      {files && (
        <FilePicker
          field={fields.attachmentIds}
          files={files}
          client={client.name}
          submitted={submitted}
          busy={searching.busy}
        />
      )}
      <Button
        type="submit"
        name="intent"
        value="send"
        variant="primary"
        className="justify-self-start"
        busy={sending.busy}
        busyLabel="Sending..."
      >
        <Send className="i" />
        Send Message
      </Button>
    </Form>
  )
}

/** Counts the messages sent from the page. `isNewest`: whether it shows the end of the thread, as after sending. */
function useSentCount(isNewest: boolean): number {
  const { state, formData } = useNavigation()
  const isSending = state !== 'idle' && formData?.get('intent') === 'send'
  const hasFailed = useActionData() !== undefined
  const [count, setCount] = useState(0)
  const wasSending = useRef(false)
  useIsomorphicLayoutEffect(() => {
    if (wasSending.current && !isSending && !hasFailed && isNewest) setCount((current) => current + 1)
    wasSending.current = isSending
  }, [isSending, hasFailed, isNewest])
  return count
}

/** Once the thread is on screen: pages are also loaded before their links are pressed. */
function useMarkRead(clientId: number, lastId: number | null): void {
  const { submit } = useFetcher()
  const marked = useRef<number>(undefined)
  useEffect(() => {
    if (lastId === null || marked.current === lastId) return
    marked.current = lastId
    submit({ intent: 'read', clientId, id: lastId }, { method: 'post' })
  }, [clientId, lastId, submit])
}
