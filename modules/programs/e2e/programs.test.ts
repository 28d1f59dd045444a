import { createPortalSession } from '#tests/support/portal-session.ts'
import { answerLeavePrompt } from '#tests/e2e/support/leave-prompt.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { contextFor, expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { NewTemplate } from '../forms.ts'
import { getTemplate, getTemplateForEdit } from '../queries/templates.ts'
import { createTemplate, deleteItem, deleteMilestone, saveMilestone } from '../services/templates.ts'

test('the coach plans and assigns a program, the client ticks on a phone without scripts, and the coach sees it', async ({
  page,
  app,
  newContext,
}) => {
  test.slow()
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  await coach.signIn(page.context())

  // Plan.
  await page.goto('/programs?view=templates')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Add Template' }).first().click()
  const add = page.getByRole('dialog', { name: 'Add Template' })
  await add.getByLabel('Name').fill('Twelve calm weeks')
  await add.getByRole('button', { name: 'Add Template' }).click()
  await expect(page.getByRole('heading', { name: 'Twelve calm weeks' })).toBeVisible()
  await page.getByRole('link', { name: 'Add Milestone' }).click()
  const milestone = page.getByRole('dialog', { name: 'Add Milestone' })
  await milestone.getByLabel('Title').fill('Where you are')
  await milestone.getByRole('button', { name: 'Add Milestone' }).click()
  const addItem = async (kind: string, title: string) => {
    await page.getByRole('link', { name: `Add ${kind} to Where you are` }).click()
    const dialog = page.getByRole('dialog', { name: `Add ${kind}` })
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByRole('button', { name: 'Add Item' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
  }
  await addItem('Checklist item', 'Read the guide')
  await addItem('Checklist item', 'Write down your days')
  const items = page.getByRole('list', { name: 'Items of Where you are' }).getByRole('listitem')
  await page.getByRole('button', { name: 'Move “Write down your days” up' }).press('Enter')
  await expect(items.first()).toContainText('Write down your days')

  // Assign, with a goal.
  await page.getByRole('link', { name: 'Assign Program' }).click()
  const assign = page.getByRole('dialog', { name: 'Assign Program' })
  await assign.getByRole('combobox', { name: 'Client' }).fill('Grace')
  await page.getByRole('option', { name: 'Grace Hopper' }).click()
  await assign.getByRole('button', { name: 'Assign Program' }).click()
  await expect(page.getByText('Program assigned')).toBeVisible()
  await expect(page.getByText('Counted: 0 of 2 done')).toBeVisible()
  const programPath = new URL(page.url()).pathname
  await page.getByRole('link', { name: 'Add Goal' }).click()
  const goal = page.getByRole('dialog', { name: 'Add Goal' })
  await goal.getByRole('textbox', { name: 'Goal' }).fill('Evenings off')
  await goal.getByLabel('Start').fill('1')
  await goal.getByLabel('Target').fill('5')
  await goal.getByRole('button', { name: 'Add Goal' }).click()
  await expect(page.getByText('Goal added')).toBeVisible()

  // The client, on a phone.
  const context = await newContext({
    viewport: phone,
    hasTouch: true,
    isMobile: true,
    baseURL: coach.origin,
    javaScriptEnabled: false,
  })
  const token = await createPortalSession(coach, grace!.id)
  await context.addCookies([{ name: 'portal', value: token, url: coach.origin }])
  const portal = await context.newPage()
  await portal.goto('/portal')
  await expect(portal.getByRole('list', { name: 'Next in Twelve calm weeks' })).toContainText('Read the guide')
  await portal.getByRole('link', { name: 'Open the program' }).click()
  await portal.getByRole('button', { name: 'Complete Read the guide' }).click()
  await expect(portal.getByText('Counted: 1 of 2 done')).toBeVisible()
  await portal.getByRole('textbox', { name: 'New value of Evenings off' }).fill('3')
  await portal.getByRole('button', { name: 'Enter a value of Evenings off' }).click()
  await expect(portal.getByText('Entered by you, Today')).toBeVisible()

  // The coach sees it, sets the progress by hand, and shifts the dates there and back.
  await page.goto(programPath)
  await waitForHydration(page)
  await expect(page.getByText('Counted: 1 of 2 done')).toBeVisible()
  await expect(page.getByText('Entered by the client, Today')).toBeVisible()
  await page.getByRole('link', { name: 'Set by Hand' }).click()
  await page.getByLabel('Progress in percent').fill('80')
  await page.getByRole('button', { name: 'Set Progress' }).click()
  await expect(page.getByText('Set by hand today')).toBeVisible()
  await page.getByRole('button', { name: 'Count It' }).click()
  await expect(page.getByText('Counted: 1 of 2 done')).toBeVisible()
  await expect(page.getByText('Began: Today')).toBeVisible()
  await page.getByRole('link', { name: 'Shift Dates' }).click()
  await page.getByRole('dialog', { name: 'Shift Dates' }).getByRole('button', { name: 'Shift Dates' }).click()
  await expect(page.getByText('Began: Today')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Began: Today')).toBeVisible()
  await page.getByRole('link', { name: 'Add an item to Where you are' }).click()
  await page.getByLabel('Title').fill('Call a friend')
  await page.getByRole('button', { name: 'Add Item' }).click()
  await expect(page.getByText('Item added')).toBeVisible()
  await expect(page.getByText('Counted: 1 of 3 done')).toBeVisible()
  await page.getByRole('button', { name: 'Complete Program' }).click()
  await expect(page.getByText('Program completed')).toBeVisible()
  await page.goto(`/clients/${grace!.id}`)
  await expect(page.getByText('Item completed').first()).toBeVisible()
})

test('dates at the end of 2200 are not shifted on, and what was typed stays', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  await coach.signIn(page.context())
  const create = async (path: string, data: object) =>
    (await (await page.request.post(`/api${path}`, { data })).json()) as { id: number }
  const milestones = [{ title: 'Look', week: 1, items: [{ kind: 'check', title: 'Write', days: 1 }] }]
  const { id: templateId } = await create('/program-templates', { name: 'Calm', milestones })
  const { id } = await create('/programs', { templateId, clientId: grace!.id, startDate: '2200-12-30' })
  await page.goto(`/programs/${id}?dialog=shift`)
  await waitForHydration(page)
  const dialog = page.getByRole('dialog', { name: 'Shift Dates' })
  await dialog.getByLabel('Days').fill('30')
  await dialog.getByRole('button', { name: 'Shift Dates' }).click()
  await expect(dialog.getByText('Shift the dates by fewer days: they are from 1900 to 2200')).toBeVisible()
  await expect(dialog.getByLabel('Days')).toHaveValue('30')
  await dialog.getByLabel('Days').fill('-30')
  await dialog.getByRole('button', { name: 'Shift Dates' }).click()
  await expect(page.getByText('Dates shifted')).toBeVisible()
})

test('what was typed into a milestone or an item that another tab deletes can be added again', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach()
  const items = [{ kind: 'check', title: 'Read the guide', days: 3 }]
  const milestones = [{ title: 'Where you are', week: 1, description: 'Look around', items }]
  const template = NewTemplate.parse({ name: 'Twelve calm weeks', milestones })
  const { id } = await inTenant(coach, (ctx) => createTemplate(ctx, template))
  const [milestone] = (await getTemplate(await contextFor(coach), id)).milestones
  await coach.signIn(page.context())
  await page.goto(`/programs/templates/${id}`)
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Read the guide' }).click()
  await page.getByRole('dialog', { name: 'Edit Checklist item' }).getByLabel('Title').fill('Read all of it')
  await inTenant(coach, (ctx) => deleteItem(ctx, id, { milestone: milestone!.id, item: milestone!.items[0]!.id }))
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const item = page.getByRole('dialog', { name: 'Add Checklist item' })
  await expect(item).toContainText('This item was deleted in another tab. Save it to add it again.')
  await expect(item.getByLabel('Days until it is due')).toHaveValue('3')
  await item.getByRole('button', { name: 'Add Item' }).click()
  await expect(page.getByText('Item saved')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Read all of it' })).toBeVisible()

  await page.getByRole('link', { name: 'Where you are', exact: true }).click()
  await page.getByRole('dialog', { name: 'Edit Milestone' }).getByLabel('Title').fill('Where you stand')
  await inTenant(coach, (ctx) => deleteMilestone(ctx, id, milestone!.id))
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const added = page.getByRole('dialog', { name: 'Add Milestone' })
  await expect(added).toContainText('This milestone was deleted in another tab. Save it to add it again.')
  await expect(added.getByLabel('Description')).toHaveValue('Look around')
  await added.getByRole('button', { name: 'Add Milestone' }).click()
  await expect(page.getByText('Milestone saved')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Where you stand', exact: true })).toBeVisible()
})

test('an item whose whole milestone another tab deletes is moved to another milestone', async ({
  page,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  const items = [{ kind: 'check', title: 'Read the guide', days: 3 }]
  const milestones = [
    { title: 'Where you are', week: 1, description: '', items },
    { title: 'Where you go', week: 2, description: '', items: [] },
  ]
  const template = NewTemplate.parse({ name: 'Twelve calm weeks', milestones })
  const { id } = await inTenant(coach, (ctx) => createTemplate(ctx, template))
  const [milestone] = (await getTemplate(await contextFor(coach), id)).milestones
  await coach.signIn(page.context())
  await page.goto(`/programs/templates/${id}`)
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Read the guide' }).click()
  await page.getByRole('dialog', { name: 'Edit Checklist item' }).getByLabel('Title').fill('Read all of it')
  await inTenant(coach, (ctx) => deleteMilestone(ctx, id, milestone!.id))
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const item = page.getByRole('dialog', { name: 'Add Checklist item' })
  await expect(item).toContainText('The milestone of this item was deleted in another tab. Choose another one.')
  await expect(item.getByLabel('Title')).toHaveValue('Read all of it')
  await page.keyboard.press('Escape')
  await answerLeavePrompt(page, 'Keep editing')
  await item.getByRole('button', { name: 'Add Item' }).click()
  await expect(item).toContainText('Choose the milestone')
  await item.getByLabel('Milestone').selectOption('Where you go')
  await page.context().setOffline(true)
  await item.getByRole('button', { name: 'Add Item' }).click()
  await expect(item.locator('form')).toContainText('could not be reached')
  await page.context().setOffline(false)
  browserErrors.ignore(/ERR_INTERNET_DISCONNECTED/)
  await item.getByRole('button', { name: 'Add Item' }).click()
  await expect(page.getByText('Item saved')).toBeVisible()
  const { milestones: left } = await getTemplate(await contextFor(coach), id)
  expect(left.map(({ title, items: kept }) => [title, ...kept.map((one) => one.title)])).toEqual([
    ['Where you go', 'Read all of it'],
  ])
})

test('an item whose milestone another tab deletes can wait for a new one', async ({ page, app }) => {
  const coach = await app.createCoach()
  const milestone = { title: 'Where you are', week: 1, description: '', items: [] }
  const template = NewTemplate.parse({ name: 'Twelve calm weeks', milestones: [milestone] })
  const { id } = await inTenant(coach, (ctx) => createTemplate(ctx, template))
  const [only] = (await getTemplate(await contextFor(coach), id)).milestones
  await coach.signIn(page.context())
  await page.goto(`/programs/templates/${id}?dialog=item&milestone=${only!.id}&kind=check`)
  await waitForHydration(page)
  const item = page.getByRole('dialog', { name: 'Add Checklist item' })
  await item.getByLabel('Title').fill('Read the guide')
  await inTenant(coach, (ctx) => deleteMilestone(ctx, id, only!.id))
  await item.getByRole('button', { name: 'Add Item' }).click()
  await expect(item).toContainText('Add a milestone in another tab, then save this item.')
  const { version } = await getTemplateForEdit(await contextFor(coach), id)
  await inTenant(coach, (ctx) => saveMilestone(ctx, { id, version, title: 'Where you go', week: 1, description: '' }))
  await item.getByRole('button', { name: 'Add Item' }).click()
  await item.getByLabel('Milestone').selectOption('Where you go')
  await item.getByRole('button', { name: 'Add Item' }).click()
  await expect(page.getByText('Item saved')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Read the guide' })).toBeVisible()
})
