import { inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { insertRow } from '#modules/core/insert-row.ts'
import { createAutomation, saveAction } from '../services/automations.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** Has long texts and runs. */
    automation: number
    automationAction: string
  }
}

const screen = (name: string, suffix: string): Screen => ({
  name,
  route: '/automations/:id',
  path: ({ automation, automationAction }) =>
    `/automations/${automation}${suffix.replace('{action}', automationAction)}`,
  as: 'full',
})

export const screens: Screen[] = [
  { name: 'automations', route: '/automations', path: '/automations', as: 'full' },
  { name: 'automations-empty', route: '/automations', path: '/automations', as: 'newcomer' },
  { name: 'automations-plan', route: '/automations', path: '/automations', as: 'limited' },
  { name: 'automations-add', route: '/automations', path: '/automations?dialog=add', as: 'full' },
  {
    name: 'automations-delete',
    route: '/automations',
    path: ({ automation }) => `/automations?dialog=delete&automation=${automation}`,
    as: 'full',
  },
  screen('automation', ''),
  screen('automation-email', '?dialog=action&action={action}'),
  screen('automation-remove-action', '?dialog=remove-action&action={action}'),
  screen('automation-dry-run', '?view=dry-run'),
  screen('automation-runs', '?view=runs'),
  {
    name: 'automation-history',
    route: '/history/automation/:id',
    path: ({ automation }) => `/history/automation/${automation}`,
    as: 'full',
  },
]

/** An automation that is off, with a run of each kind. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  return inTenant(full, async (tx) => {
    const [trigger] = tx.extensions.automationTriggers
    const { id } = await createAutomation(tx, { name: longText.slice(0, 120), trigger: trigger!.name })
    const settings = { subject: longText.slice(0, 200), body: `{{client name}}\n\n${longText}` }
    const { actions } = await saveAction(tx, id, { id: null, action: 'automations.send-email', settings })
    const results = (state: string) => JSON.stringify([{ id: actions[0]!.id, state, text: longText }])
    for (const state of ['done', 'failed', 'skipped', 'stopped'])
      await insertRow(tx, {
        table: 'automation_run',
        name: 'test.add-run',
        row: {
          automationId: id,
          trigger: trigger!.name,
          eventKey: state,
          payload: '{}',
          chain: [id],
          state,
          problem: state === 'done' ? null : longText.slice(0, 500),
          title: longText.slice(0, 200),
          link: '/clients',
          personName: longText.slice(0, 200),
          results: results(state === 'failed' ? 'failed' : 'done'),
          startedAt: tx.now(),
          createdAt: tx.now(),
        },
      })
    return { automation: id, automationAction: actions[0]!.id }
  })
}
