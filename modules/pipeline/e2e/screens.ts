import type { Page } from '@playwright/test'
import { NewProspect, NewStage } from '#modules/pipeline/forms.ts'
import { prospectOf } from '#modules/pipeline/index.ts'
import { convertProspect } from '#modules/pipeline/services/conversion.ts'
import { addProspect, editProspect } from '#modules/pipeline/services/prospects.ts'
import { addStage } from '#modules/pipeline/services/stages.ts'
import type { Coach } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'

export const pipelineScreens: Screen[] = [
  { name: 'pipeline', page: '/pipeline', at: '/pipeline', as: 'full' },
  { name: 'pipeline-empty', page: '/pipeline', at: '/pipeline', as: 'newcomer' },
  { name: 'pipeline-filtered', page: '/pipeline', at: '/pipeline?likely=50&followup=overdue', as: 'full' },
  { name: 'pipeline-nothing-found', page: '/pipeline', at: '/pipeline?q=zzzz', as: 'full' },
  {
    name: 'pipeline-card-menu',
    page: '/pipeline',
    at: '/pipeline',
    as: 'full',
    then: (page) => page.getByRole('button', { name: 'Actions for Leila Haddad' }).click(),
  },
  {
    name: 'pipeline-stage-menu',
    page: '/pipeline',
    at: '/pipeline',
    as: 'full',
    then: (page) => page.getByRole('button', { name: 'Actions for Lead' }).click(),
  },
  { name: 'pipeline-lifted', page: '/pipeline', at: '/pipeline', as: 'full', then: liftCard },
  { name: 'pipeline-refused', page: '/pipeline', at: '/pipeline', as: 'full', then: refuseMove },
  { name: 'prospect-add', page: '/pipeline', at: '/pipeline?dialog=add', as: 'full' },
  { name: 'prospect-add-refused', page: '/pipeline', at: '/pipeline?dialog=add', as: 'full', then: refuseProspect },
  {
    name: 'prospect-edit',
    page: '/pipeline',
    at: ({ prospect }) => `/pipeline?dialog=edit&prospect=${prospect}`,
    as: 'full',
  },
  {
    name: 'prospect-edit-long',
    page: '/pipeline',
    at: ({ longProspect }) => `/pipeline?dialog=edit&prospect=${longProspect}`,
    as: 'full',
  },
  {
    name: 'prospect-delete',
    page: '/pipeline',
    at: ({ longProspect }) => `/pipeline?dialog=delete&prospect=${longProspect}`,
    as: 'full',
  },
  { name: 'prospect-gone', page: '/pipeline', at: '/pipeline?dialog=edit&prospect=999999999', as: 'full' },
  {
    name: 'prospect-converted',
    page: '/pipeline',
    at: ({ converted }) => `/pipeline?dialog=edit&prospect=${converted}`,
    as: 'full',
  },
  {
    name: 'prospect-history',
    page: '/history/prospect/:id',
    at: ({ prospect }) => `/history/prospect/${prospect}`,
    as: 'full',
  },
  { name: 'stage-add', page: '/pipeline', at: '/pipeline?dialog=add-stage', as: 'full' },
  {
    name: 'stage-edit',
    page: '/pipeline',
    at: ({ emptyStage }) => `/pipeline?dialog=edit-stage&stage=${emptyStage}`,
    as: 'full',
  },
  {
    name: 'stage-delete',
    page: '/pipeline',
    at: ({ stage }) => `/pipeline?dialog=delete-stage&stage=${stage}`,
    as: 'full',
  },
  {
    name: 'stage-delete-empty',
    page: '/pipeline',
    at: ({ emptyStage }) => `/pipeline?dialog=delete-stage&stage=${emptyStage}`,
    as: 'full',
  },
  { name: 'stage-gone', page: '/pipeline', at: '/pipeline?dialog=edit-stage&stage=999999999', as: 'full' },
  {
    name: 'stage-history',
    page: '/history/pipeline_stage/:id',
    at: ({ stage }) => `/history/pipeline_stage/${stage}`,
    as: 'full',
  },
]

async function liftCard(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Leila Haddad', exact: true }).focus()
  const said = page.locator('[id^="DndLiveRegion"]')
  await page.keyboard.press('Space')
  await said.filter({ hasText: 'is picked up' }).waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowRight')
  await said.filter({ hasText: 'is over Proposal' }).waitFor({ state: 'attached' })
}

async function refuseMove(page: Page): Promise<void> {
  await page.route('**/api/prospects/*', (route) => route.fulfill({ status: 409, json: { message: 'no' } }))
  await liftCard(page)
  await page.keyboard.press('Space')
  await page.getByText('Failed to update prospect: 409 - no').waitFor()
}

async function refuseProspect(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('   ')
  await dialog.getByLabel('Email').fill('ada@nowhere')
  await dialog.getByLabel('Value').fill('much')
  await dialog.getByRole('button', { name: 'Add Prospect' }).click()
  await dialog.getByText('Name is required').waitFor()
}

export async function prospects(
  coach: Coach,
  long: string,
): Promise<Pick<World, 'prospect' | 'longProspect' | 'converted' | 'stage' | 'emptyStage'>> {
  return coach.write(async (ctx) => {
    const add = (prospect: object) => addProspect(ctx, NewProspect.parse({ stageId: 'lead', ...prospect }))
    for (let at = 1; at <= 12; at++)
      await add({
        name: `Prospect Number ${at}`,
        value: at * 12_345,
        probability: at * 8,
        nextFollowUp: new Date(Date.now() + (at - 4) * 86_400_000).toISOString(),
        source: `Source ${at % 3}`,
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
    await editProspect(ctx, full.id, { stageId: 'qualified', probability: 55 })
    const longest = await add({
      stageId: 'closed_won',
      name: long,
      email: `${'long'.repeat(16)}@${'host'.repeat(15)}.example`,
      company: long,
      title: long,
      source: long,
      value: 9_999_999_999,
      probability: 100,
      notes: long.repeat(20),
    })
    const converted = await add({ name: 'Henrik Dalgaard', email: 'henrik@example.com' })
    await convertProspect(ctx, converted.id)
    const stage = await addStage(ctx, NewStage.parse({ name: long }))
    return {
      prospect: full.id,
      longProspect: longest.id,
      converted: converted.id,
      stage: (await prospectOf(ctx, full.id)).stageId,
      emptyStage: stage.id,
    }
  })
}
