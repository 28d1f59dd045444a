import { dayMs } from '#app/lib/time.ts'
import type { Page } from '@playwright/test'
import { NewProspect, NewStage } from '#modules/pipeline/forms.ts'
import { getProspect } from '#modules/pipeline/index.ts'
import { convertProspect } from '#modules/pipeline/services/conversion.ts'
import { createProspect, updateProspect } from '#modules/pipeline/services/prospects.ts'
import { createStage } from '#modules/pipeline/services/stages.ts'
import { pickUpByKeyboard } from '#tests/e2e/support/keyboard-drag.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** A prospect with every field filled in, one with the longest texts, and one that is a client now. */
    prospect: number
    longProspect: number
    converted: number
    /** A stage with prospects, and one without. */
    stage: number
    emptyStage: number
  }
}

export const screens: Screen[] = [
  { name: 'pipeline', route: '/pipeline', path: '/pipeline', as: 'full' },
  { name: 'pipeline-empty', route: '/pipeline', path: '/pipeline', as: 'newcomer' },
  { name: 'pipeline-filtered', route: '/pipeline', path: '/pipeline?likely=50&followup=overdue', as: 'full' },
  { name: 'pipeline-nothing-found', route: '/pipeline', path: '/pipeline?q=zzzz', as: 'full' },
  {
    name: 'pipeline-card-menu',
    route: '/pipeline',
    path: '/pipeline',
    as: 'full',
    setup: (page) => page.getByRole('button', { name: 'Actions for Leila Haddad' }).click(),
  },
  {
    name: 'pipeline-stage-menu',
    route: '/pipeline',
    path: '/pipeline',
    as: 'full',
    setup: (page) => page.getByRole('button', { name: 'Actions for Lead' }).click(),
  },
  { name: 'pipeline-lifted', route: '/pipeline', path: '/pipeline', as: 'full', setup: liftCard },
  { name: 'pipeline-refused', route: '/pipeline', path: '/pipeline', as: 'full', setup: rejectMove },
  { name: 'prospect-add', route: '/pipeline', path: '/pipeline?dialog=add', as: 'full' },
  {
    name: 'prospect-add-refused',
    route: '/pipeline',
    path: '/pipeline?dialog=add',
    as: 'full',
    setup: submitInvalidProspect,
  },
  {
    name: 'prospect-edit',
    route: '/pipeline',
    path: ({ prospect }) => `/pipeline?dialog=edit&prospect=${prospect}`,
    as: 'full',
  },
  {
    name: 'prospect-edit-long',
    route: '/pipeline',
    path: ({ longProspect }) => `/pipeline?dialog=edit&prospect=${longProspect}`,
    as: 'full',
  },
  {
    name: 'prospect-delete',
    route: '/pipeline',
    path: ({ longProspect }) => `/pipeline?dialog=delete&prospect=${longProspect}`,
    as: 'full',
  },
  { name: 'prospect-not-found', route: '/pipeline', path: '/pipeline?dialog=edit&prospect=999999999', as: 'full' },
  {
    name: 'prospect-converted',
    route: '/pipeline',
    path: ({ converted }) => `/pipeline?dialog=edit&prospect=${converted}`,
    as: 'full',
  },
  {
    name: 'prospect-history',
    route: '/history/prospect/:id',
    path: ({ prospect }) => `/history/prospect/${prospect}`,
    as: 'full',
  },
  { name: 'stage-add', route: '/pipeline', path: '/pipeline?dialog=add-stage', as: 'full' },
  {
    name: 'stage-edit',
    route: '/pipeline',
    path: ({ emptyStage }) => `/pipeline?dialog=edit-stage&stage=${emptyStage}`,
    as: 'full',
  },
  {
    name: 'stage-delete',
    route: '/pipeline',
    path: ({ stage }) => `/pipeline?dialog=delete-stage&stage=${stage}`,
    as: 'full',
  },
  {
    name: 'stage-delete-empty',
    route: '/pipeline',
    path: ({ emptyStage }) => `/pipeline?dialog=delete-stage&stage=${emptyStage}`,
    as: 'full',
  },
  { name: 'stage-not-found', route: '/pipeline', path: '/pipeline?dialog=edit-stage&stage=999999999', as: 'full' },
  {
    name: 'stage-history',
    route: '/history/pipeline_stage/:id',
    path: ({ stage }) => `/history/pipeline_stage/${stage}`,
    as: 'full',
  },
]

async function liftCard(page: Page): Promise<void> {
  const card = page.getByRole('link', { name: 'Leila Haddad', exact: true })
  await pickUpByKeyboard(page, card, /is picked up/)
  await page.keyboard.press('ArrowRight')
  await page.locator('[id^="DndLiveRegion"]').filter({ hasText: 'is over Proposal' }).waitFor({ state: 'attached' })
}

async function rejectMove(page: Page): Promise<void> {
  await page.route('**/api/prospects/*', (route) => route.fulfill({ status: 409, json: { message: 'no' } }))
  await liftCard(page)
  await page.keyboard.press('Space')
  await page.getByText('Failed to update prospect: 409 - no').waitFor()
}

async function submitInvalidProspect(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Email').fill('ada@nowhere')
  await dialog.getByLabel('Value').fill('much')
  await dialog.getByRole('button', { name: 'Add Prospect' }).click()
  await dialog.getByText('Name is required').waitFor()
}

export function world({ full: coach, longText }: World): Promise<Partial<World>> {
  return inTenant(coach, async (ctx) => {
    const add = (prospect: object) => createProspect(ctx, NewProspect.parse({ stageId: 'lead', ...prospect }))
    for (let index = 1; index <= 12; index++)
      await add({
        name: `Prospect Number ${index}`,
        value: index * 12_345,
        probability: index * 8,
        nextFollowUp: new Date(ctx.now().getTime() + (index - 4) * dayMs).toISOString(),
        source: `Source ${index % 3}`,
      })
    const full = await add({
      name: 'Leila Haddad',
      email: 'leila@example.com',
      phone: '+1 555 0100',
      company: 'Saffron Table',
      title: 'Founder',
      location: 'Brooklyn',
      profession: 'Cook',
      timezone: 'America/New_York',
      value: 360_000,
      probability: 40,
      source: 'Referral',
      notes: 'Sleeps **four** hours.\n• Call before ten',
      futureGoals: 'One day off',
      frustrations: 'Suppliers',
      fears: 'The second one',
      failures: 'None that count',
    })
    await updateProspect(ctx, full.id, { stageId: 'qualified', probability: 55 })
    const longest = await add({
      stageId: 'closed_won',
      name: longText,
      email: `${'longText'.repeat(16)}@${'host'.repeat(15)}.example`,
      company: longText,
      title: longText,
      source: longText,
      value: 9_999_999_999,
      probability: 100,
      notes: longText.repeat(20),
    })
    const converted = await add({ name: 'Henrik Dalgaard', email: 'henrik@example.com' })
    await convertProspect(ctx, converted.id)
    const stage = await createStage(ctx, NewStage.parse({ name: longText }))
    return {
      prospect: full.id,
      longProspect: longest.id,
      converted: converted.id,
      stage: (await getProspect(ctx, full.id)).stageId,
      emptyStage: stage.id,
    }
  })
}
