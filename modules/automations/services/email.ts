import { requireVerifiedEmail } from '#tenants/accounts/email-verification.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { getSender } from '#tenants/accounts/jobs.ts'
import type { Ctx } from '#tenants/context.ts'
import { isRefused, wasNotTaken } from '#tenants/mail-errors.ts'
import { sendEmail } from '#tenants/mail.ts'
import type { Platform } from '#tenants/platform.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import type { AutomationAction } from '#modules/core/automations.ts'
import type { EmailState } from '../fields.ts'
import { toParagraphs } from '../texts.ts'
import { queues } from './queues.ts'

export const sendEmailAction = 'automations.send-email'

export const automationActions: AutomationAction[] = [
  {
    name: sendEmailAction,
    label: 'Send an email',
    order: 10,
    permission: 'automations:automation:write',
    people: ['client', 'prospect'],
    fields: [
      {
        name: 'subject',
        label: 'Subject',
        kind: 'line',
        required: 'Enter a subject',
        max: 200,
        takesPlaceholders: true,
      },
      {
        name: 'body',
        label: 'Text',
        kind: 'text',
        required: 'Enter a text',
        max: 5000,
        initial: 'Hello {{client first name}},\n\n',
        takesPlaceholders: true,
      },
    ],
    describe: ({ subject }) => `Send the email “${subject}”`,
    refuses: ({ email }) => (email ? null : 'Send an email: there is no email address.'),
    run: async (ctx, { subject = '', body = '' }, { runId, actionId, person }) => {
      requireVerifiedEmail(ctx)
      const emailId = await insertRow(ctx, {
        table: 'automation_email',
        name: 'automations.insert-email',
        row: {
          runId,
          actionId,
          email: person.email,
          subject: subject.slice(0, 1000),
          body: body.slice(0, 20_000),
          createdAt: ctx.now(),
        },
      })
      await ctx.enqueue(queues.email, { coachId: ctx.coachId, emailId })
    },
  },
]

type Claimed = { email: string; subject: string; body: string }

/**
 * Sends an email in the coach's name, at most once: it is marked before the mail server gets it, and sent again only if
 * the server certainly did not take it (decision 0053).
 */
export async function sendRunEmail(
  platform: Platform,
  { coachId, emailId }: { coachId: number; emailId: number },
): Promise<void> {
  const ctx = await loadCoachContext(platform, coachId, `automation-email-${emailId}`)
  const from = ctx && (await getSender(platform, coachId))
  if (!from) return
  const claimed = await setState(ctx, emailId, { from: 'waiting', to: 'sending' })
  if (!claimed) return
  const { email: to, subject, body } = claimed
  try {
    const content = { to, subject: subject || from.name, paragraphs: toParagraphs(body), button: null }
    await sendEmail(platform.config, { ...content, from, replyTo: ctx.account.email }, platform.now())
  } catch (error) {
    if (isRefused(error)) return void (await setState(ctx, emailId, { from: 'sending', to: 'failed' }))
    if (wasNotTaken(error)) await setState(ctx, emailId, { from: 'sending', to: 'waiting' })
    // Without the server's own message, which quotes the address.
    throw Object.assign(new Error('The mail server did not take an email.'), {
      code: (error as { code?: string }).code,
    })
  }
  await setState(ctx, emailId, { from: 'sending', to: 'sent' })
}

async function setState(ctx: Ctx, id: number, state: { from: EmailState; to: EmailState }): Promise<Claimed | null> {
  const [row] = await ctx.write((tx) =>
    tx.query<Claimed>({
      name: 'automations.set-email-state',
      text: `update automation_email set state = $4, sent_at = case when $4 = 'sent' then $5::timestamptz end
        where coach_id = $1 and id = $2 and state = $3 returning email, subject, body`,
      values: [ctx.coachId, id, state.from, state.to, ctx.now()],
    }),
  )
  return row ?? null
}
