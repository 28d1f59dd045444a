import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { useState } from 'react'
import { z } from 'zod'
import { optionalFormId } from '#app/lib/zod-types.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Card, Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { MessagePreview } from '../components/messages/preview.tsx'
import { ResendForm } from '../components/messages/message-list.tsx'
import { SettingsForm } from '../components/messages/settings-form.tsx'
import { Simulator } from '../components/messages/simulator.tsx'
import { TextForm } from '../components/messages/text-form.tsx'
import { MessageSettingsForm, MessageTextForm, TextKindInput } from '../messages/forms.ts'
import { resendMessage } from '../messages/resend.ts'
import { requestTestMessage } from '../messages/send-test.ts'
import { textKinds, textOccasions, type MessageText } from '../messages/texts.ts'
import { loadMessages, type MessagesData } from '../messages-loader.server.ts'
import { messagesUrl } from '../messages-state.ts'
import { updateMessageSettings } from '../services/message-settings.ts'
import { resetMessageText, saveMessageText } from '../services/message-texts.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Messages')

export async function loader({ request, context }: LoaderFunctionArgs) {
  return loadMessages(context.coach(), request.url)
}

const messages = {
  save: { done: 'Message saved', failed: 'Failed to save the message' },
  reset: { done: { title: 'Standard text restored' }, failed: 'Failed to reset the message' },
  restore: { done: { title: 'Your text restored' }, failed: 'Failed to restore the message' },
  test: { done: { title: 'Test sent' }, failed: 'Failed to send the test' },
  resend: { done: { title: 'Message sent again' }, failed: 'Failed to send the message' },
  'save-settings': { done: 'Plan saved', failed: 'Failed to save the plan' },
}

const ByKind = z.object({ kind: TextKindInput })

export const action = formActions(
  messages,
  {
    save: {
      schema: MessageTextForm,
      run: (ctx, { kind, version, ...text }) => saveMessageText(ctx, kind, text, version),
    },
    reset: {
      schema: ByKind,
      isButton: true,
      run: async (ctx, { kind }) => {
        await resetMessageText(ctx, kind)
        const fields = { intent: 'restore', kind }
        return success({ toast: { action: { label: 'Undo', to: '/calendar/messages', fields } } })
      },
    },
    restore: {
      schema: ByKind,
      isButton: true,
      run: (ctx, { kind }) => resetMessageText(ctx, kind, { restore: true }),
    },
    test: {
      schema: z.object({ kind: TextKindInput, appointment: optionalFormId() }),
      isButton: true,
      run: async (ctx, { kind, appointment }) => {
        await requestTestMessage(ctx, { kind, appointmentId: appointment })
        return success({ toast: { text: `To ${ctx.account.email}.` } })
      },
    },
    resend: { schema: ById, run: (ctx, { id }) => resendMessage(ctx, id), to: ({ page }) => page },
    'save-settings': {
      schema: MessageSettingsForm,
      run: (ctx, { version, ...settings }) => updateMessageSettings(ctx, settings, version),
    },
  },
  { home: '/calendar/messages' },
)

export const clientAction = formClientAction(messages)

const crumbs = [{ label: 'Dashboard', to: '/dashboard' }, { label: 'Calendar', to: '/calendar' }, { label: 'Messages' }]

export default function MessagesPage() {
  const data = useLoaderData<typeof loader>() as MessagesData
  const { state, text, settings, preview } = data
  const [draft, setDraft] = useState<{ of: string; text: MessageText } | null>(null)
  const shown = `${state.message} ${text.version}`
  return (
    <Page title="Messages" crumbs={crumbs} description="The emails about your sessions.">
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 content-start gap-6">
          <Doubtful {...data} />
          <TextList {...data} />
          {/* The list above is longer than a phone. */}
          <div id="text" className="scroll-mt-20">
            <Card title={textKinds[state.message]}>
              <TextForm
                key={shown}
                kind={state.message}
                text={text}
                values={preview.values}
                resetTo={messagesUrl.href(state, { dialog: 'reset' })}
                onDraft={(typed) => setDraft({ of: shown, text: typed })}
              />
            </Card>
          </div>
          <Card title="When messages go out">
            <SettingsForm key={settings.version} settings={settings} />
          </Card>
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <MessagePreview {...data} text={draft?.of === shown ? draft.text : text.values} />
          <Simulator {...data} />
        </div>
      </div>
      {state.dialog === 'reset' && (
        <ConfirmDialog
          title="Use Standard Text"
          confirm="Use Standard Text"
          busyLabel="Restoring..."
          closeTo={messagesUrl.href(state, { dialog: null })}
          fields={{ intent: 'reset', kind: state.message }}
        >
          Your own text of this message is replaced by the standard one.
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** Messages that a mail server may not have taken: the coach hears of each. */
function Doubtful({ doubtful }: Pick<MessagesData, 'doubtful'>) {
  if (!doubtful.length) return null
  return (
    <Card title="May not have been sent">
      <p className="border-t border-line-soft px-5 pt-4 text-ink-2">
        Sending was cut off, so these may have arrived or not. Ask, or send them again.
      </p>
      <ul aria-label="May not have been sent" className="rows">
        {doubtful.map(({ id, appointmentId, label, at }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 px-5 py-3">
            <span className="min-w-0 flex-1 wrap-anywhere">
              <Link
                className="font-medium hover:underline"
                to={`/calendar?dialog=appointment&appointment=${appointmentId}`}
              >
                {label}
              </Link>
              <span className="block text-sm text-ink-3">{at}</span>
            </span>
            <ResendForm id={id} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function TextList({ state, texts }: Pick<MessagesData, 'state' | 'texts'>) {
  return (
    <Card title="Messages">
      <ul aria-label="Messages" className="rows border-t border-line-soft">
        {texts.map(({ kind, isStandard }) => (
          <li
            key={kind}
            className={`flex items-center gap-3 px-5 py-2.5 ${kind === state.message ? 'shadow-[inset_3px_0_0_var(--brand)]' : ''}`}
          >
            <span className="min-w-0 flex-1">
              <Link
                to={`${messagesUrl.href(state, { message: kind })}#text`}
                aria-current={kind === state.message || undefined}
                className={`hover:underline ${kind === state.message ? 'font-semibold' : 'font-medium'}`}
              >
                {textKinds[kind]}
              </Link>
              <span className="block text-sm text-ink-3">{textOccasions[kind]}</span>
            </span>
            {!isStandard && <Badge plain>Your text</Badge>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
