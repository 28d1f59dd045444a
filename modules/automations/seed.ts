import type { DemoPractice } from '#modules/core/manifest.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { StoredFilters } from './fields.ts'
import { listAutomations } from './queries/automations.ts'
import type { AutomationRecord } from './records.ts'
import { createAutomation, saveAction, switchAutomation, updateAutomation } from './services/automations.ts'
import { findAction, findTrigger } from './services/catalog.ts'
import { dryRun } from './services/dry-run.ts'
import { sendEmailAction } from './services/email.ts'

type Example = {
  name: string
  trigger: string
  days?: number
  filters?: StoredFilters
  actions: { action: string; settings: Record<string, string> }[]
}

const email = (subject: string, ...paragraphs: string[]) => ({
  action: sendEmailAction,
  settings: { subject, body: ['Hello {{client first name}},', ...paragraphs, '{{coach name}}'].join('\n\n') },
})
const task = (title: string, days: string) => ({
  action: 'tasks.create-task',
  settings: { title, owner: 'coach', days },
})

const examples: Example[] = [
  {
    name: 'Thank after a session',
    trigger: 'scheduling.session-completed',
    actions: [
      email(
        'Thank you for today',
        'Thank you for “{{session title}}”. Write down the one thing that you want to remember.',
      ),
      task('Look at the notes of {{client name}}', '1'),
    ],
  },
  {
    name: 'Call about an overdue invoice',
    trigger: 'billing.invoice-overdue',
    actions: [task('Call {{client name}} about {{invoice number}}', '0')],
  },
  {
    name: 'Stay in touch',
    trigger: 'crm.no-contact',
    days: 21,
    actions: [email('How are you?', 'We have not spoken for a while. How are you?')],
  },
]

/** Fills the demo practice, once: with automations whose modules are there, and what they did. */
export async function seed(ctx: Ctx, { which }: DemoPractice): Promise<void> {
  if ((await listAutomations(ctx)).length) return
  const possible = examples.filter(({ trigger }) => findTrigger(ctx, trigger))
  for (const example of which === 'first' ? possible : possible.slice(-2))
    await ctx.write((tx) => addExample(tx, example, { isOn: which === 'first' }))
}

async function addExample(tx: WriteCtx, { name, trigger, days, actions }: Example, { isOn }: { isOn: boolean }) {
  const { id } = await createAutomation(tx, { name, trigger })
  if (days) await updateAutomation(tx, id, { days })
  for (const action of actions) if (findAction(tx, action.action)) await saveAction(tx, id, { id: null, ...action })
  const added = (await listAutomations(tx)).find((automation) => automation.id === id)!
  if (isOn && added.actions.length) await switchAutomation(tx, id, true)
  await addRuns(tx, added)
}

/** As if it had been switched on a month ago. Without anything that has happened: one run that was skipped. */
async function addRuns(tx: WriteCtx, automation: AutomationRecord): Promise<void> {
  const rows = (await dryRun(tx, automation))?.rows.slice(0, 5).toReversed() ?? []
  for (const { key, at, title, to, person, actions } of rows) {
    const runId = await insertRow(tx, {
      table: 'automation_run',
      name: 'automations.seed-run',
      row: {
        automationId: automation.id,
        trigger: automation.trigger,
        eventKey: key,
        payload: JSON.stringify({ key }),
        state: 'done',
        title,
        link: to,
        personKind: person.kind,
        personId: person.id,
        personName: person.name,
        results: JSON.stringify(actions.map(({ id, text }) => ({ id, state: 'done', text }))),
        startedAt: at,
        finishedAt: at,
        createdAt: at,
      },
    })
    for (const { id, text, body } of actions)
      if (body !== null && person.email)
        await insertRow(tx, {
          table: 'automation_email',
          name: 'automations.seed-email',
          row: {
            runId,
            actionId: id,
            email: person.email,
            subject: text,
            body,
            state: 'sent',
            createdAt: at,
            sentAt: at,
          },
        })
  }
  if (!rows.length) await addSkipped(tx, automation)
}

async function addSkipped(tx: WriteCtx, { id: automationId, trigger, actions }: AutomationRecord): Promise<void> {
  const now = tx.now()
  const runId = await insertRow(tx, {
    table: 'automation_run',
    name: 'automations.seed-skipped',
    row: {
      automationId,
      trigger,
      eventKey: 'example',
      payload: '{}',
      state: 'skipped',
      problem: 'A condition did not apply.',
      finishedAt: now,
      createdAt: now,
    },
  })
  const actionId = actions[0]?.id ?? 'example'
  await insertRow(tx, {
    table: 'automation_email',
    name: 'automations.seed-failed-email',
    row: {
      runId,
      actionId,
      email: 'nobody@example.com',
      subject: 'Hello',
      body: 'Hello',
      state: 'failed',
      createdAt: now,
    },
  })
}
