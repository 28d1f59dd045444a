import { extractLink, findMail } from '#tests/e2e/support/mails.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { expectNoLongTasks } from '#tests/e2e/support/frame-timing.ts'
import { contextFor, expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { newQuestion } from '../fields.ts'
import { NewForm } from '../forms.ts'
import { getForm } from '../queries/form.ts'
import { formLink } from '../link.ts'
import { createForm, deleteQuestion, publishForm } from '../services/form.ts'
import { sendForm } from '../services/submissions.ts'

test('a form is built, sent, begun without scripts, finished on another device, and changes the client', async ({
  page,
  app,
  newContext,
}) => {
  test.slow()
  const coach = await app.createCoach({
    ownHost: true,
    clients: [{ name: 'Grace Hopper', email: 'grace.answers@example.com' }],
  })
  const [grace] = await getClients(coach)
  await coach.signIn(page.context())
  await page.setViewportSize(phone)

  // Build.
  await page.goto('/forms')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Add Form' }).first().click()
  const add = page.getByRole('dialog', { name: 'Add Form' })
  await add.getByLabel('Name').fill('Before we begin')
  await add.getByLabel('Begin with').selectOption('An empty form')
  await add.getByRole('button', { name: 'Add Form' }).click()
  await expect(page.getByRole('heading', { name: 'Before we begin' })).toBeVisible()
  const addQuestion = async (kind: string, label: string, fill?: () => Promise<void>) => {
    await page.getByRole('link', { name: `Add ${kind}` }).click()
    const dialog = page.getByRole('dialog', { name: `Add ${kind}` })
    await dialog.getByLabel('Question', { exact: true }).fill(label)
    await fill?.()
    await dialog.getByRole('button', { name: 'Add Question' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('link', { name: label })).toBeVisible()
  }
  await addQuestion('Choice', 'Have you had a coach?', async () => {
    await page.getByLabel('Choices, one in each line').fill('Yes\nNo')
    await page.getByLabel('Answer', { exact: true }).selectOption('Required')
  })
  await addQuestion('Long answer', 'How was it?', async () => {
    await page.getByLabel('Show it').selectOption('Depending on: Have you had a coach?')
    await page.getByLabel('This value').selectOption('Yes')
  })
  await addQuestion('Short answer', 'What do you do?', async () => {
    await page.getByLabel('Propose the answer for').selectOption('Profession')
  })
  // Move with the keyboard: the button keeps the focus.
  const up = page.getByRole('button', { name: 'Move “What do you do?” up' })
  await up.focus()
  await page.keyboard.press('Enter')
  const questions = page.getByRole('list', { name: 'Questions' }).getByRole('listitem')
  await expect(questions.nth(1)).toContainText('What do you do?')
  await expect(up).toBeFocused()
  // A question can't come before the one that it depends on.
  await page.getByRole('button', { name: 'Move “Have you had a coach?” down' }).click()
  await page.getByRole('button', { name: 'Move “Have you had a coach?” down' }).click()
  await expect(page.getByText('depends on a question that must come before it')).toBeVisible()
  await expect(questions.nth(2)).toContainText('How was it?')

  // The preview follows the conditions.
  await page.getByRole('link', { name: 'Preview' }).click()
  const preview = page.getByRole('form', { name: 'Preview' })
  await expect(preview).toBeVisible()
  await expect(preview.getByLabel('How was it?')).toBeHidden()
  await preview.getByRole('radio', { name: 'Yes' }).check()
  await expect(preview.getByLabel('How was it?')).toBeVisible()

  // Send.
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Version 1 is published')).toBeVisible()
  await page.goto(`/forms?dialog=send&client=${grace!.id}`)
  await waitForHydration(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Send Form' }).click()
  await expect(page.getByText('Grace Hopper hasn’t begun yet.')).toBeVisible()
  const link = extractLink(await findMail(app, grace!.email))

  // Begin on a phone without scripts.
  const first = await newContext({ javaScriptEnabled: false, viewport: phone })
  const plain = await first.newPage()
  await plain.goto(link)
  await expect(plain.getByText('Only if “Have you had a coach?” is “Yes”')).toBeVisible()
  await plain.getByLabel('What do you do?').fill('x'.repeat(10_000))
  await plain.getByRole('button', { name: 'Save and continue later' }).click()
  await expect(plain.getByText('Use at most 200 characters. These are 10,000.')).toBeVisible()
  await plain.getByLabel('What do you do?').fill('<script>alert(1)</script>')
  await plain.getByRole('button', { name: 'Save and continue later' }).click()
  await expect(plain.getByText('All answers are saved.')).toBeVisible()

  // Go on with another device, which saves by itself.
  const second = await newContext({ viewport: phone })
  const scripted = await second.newPage()
  await scripted.goto(link)
  await expect(scripted.getByLabel('What do you do?')).toHaveValue('<script>alert(1)</script>')
  await expect(scripted.getByLabel('How was it?')).toBeHidden()
  await scripted.getByRole('radio', { name: 'Yes' }).check()
  await scripted.getByLabel('How was it?').fill('Helpful')
  await expect(scripted.getByText('All answers are saved.')).toBeVisible()

  // The first device is behind: it loses nothing, and shows both.
  await plain.getByLabel('What do you do?').fill('Engineer')
  await plain.getByRole('button', { name: 'Send answers' }).click()
  await expect(plain.getByText('These answers were changed on another device.')).toBeVisible()
  await expect(plain.getByText('On the other device: Helpful')).toBeVisible()
  await expect(plain.getByLabel('What do you do?')).toHaveValue('Engineer')
  await plain.getByRole('button', { name: 'Send answers' }).click()
  await expect(plain.getByText('Please answer this question')).toBeVisible()
  await plain.getByRole('radio', { name: 'No', exact: true }).check()
  await plain.getByRole('button', { name: 'Send answers' }).click()
  await expect(plain.getByText('Thank you.')).toBeVisible()
  await scripted.getByLabel('How was it?').fill('Too late')
  await expect(scripted.getByText('This form is answered already.')).toBeVisible()

  // The coach sees it, and approves.
  await page.goto(`/clients/${grace!.id}`)
  await page.getByRole('list', { name: 'Forms' }).getByRole('link', { name: 'Before we begin' }).click()
  await waitForHydration(page)
  await page.getByRole('button', { name: 'Approve: Profession' }).click()
  await expect(page.getByText('Client updated')).toBeVisible()
  await page.goto(`/clients/${grace!.id}`)
  await expect(page.getByText('Engineer')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Form answered')
})

test('a question is moved by touch after a long press, and a swipe scrolls', async ({
  newContext,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach()
  const questions = Array.from({ length: 14 }, (_, index) => ({
    ...newQuestion('short', `q${index}`),
    label: `Question number ${index}`,
  }))
  const { id } = await inTenant(coach, (tx) => createForm(tx, NewForm.parse({ name: 'By touch', questions })))
  const context = await newContext({ viewport: phone, hasTouch: true, isMobile: true, baseURL: coach.origin })
  await coach.signIn(context)
  const page = await context.newPage()
  browserErrors.watch(page)
  await page.goto(`/forms/${id}`)
  await waitForHydration(page)
  const rows = page.getByRole('list', { name: 'Questions' }).getByRole('listitem')
  const client = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] })
  const handle = page.locator('[data-handle="q0"]')
  await handle.scrollIntoViewIfNeeded()
  const [grip, row, target] = await Promise.all([
    handle.boundingBox(),
    rows.nth(0).boundingBox(),
    rows.nth(2).boundingBox(),
  ])
  const [x, y] = [grip!.x + grip!.width / 2, grip!.y + grip!.height / 2]

  await touch('touchStart', { x, y })
  await expect(rows.nth(0)).toHaveClass(/opacity-80/)
  const distance = target!.y - row!.y + 5
  for (let step = 1; step <= 5; step++) await touch('touchMove', { x, y: y + (distance * step) / 5 })
  await touch('touchEnd')
  await expect(rows.nth(2)).toContainText('Question number 0')
  const getOrder = async () => (await getForm(await contextFor(coach), id)).questions.map((question) => question.id)
  await expect.poll(async () => (await getOrder()).slice(0, 3)).toEqual(['q1', 'q2', 'q0'])

  // Elsewhere on a row a swipe moves the page.
  const label = (await page.getByRole('link', { name: 'Question number 3' }).boundingBox())!
  const before = await page.evaluate(() => scrollY)
  await touch('touchStart', { x: label.x + 20, y: label.y + 5 })
  for (let step = 1; step <= 5; step++) await touch('touchMove', { x: label.x + 20, y: label.y + 5 - 30 * step })
  await touch('touchEnd')
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before)
  expect((await getOrder())[3]).toBe('q3')
})

test('with 100 questions opening the builder, moving, editing and the preview have no task of 100 ms', {
  tag: '@timing',
}, async ({ page, app }) => {
  const coach = await app.createCoach()
  const questions = Array.from({ length: 100 }, (_, index) => ({
    ...newQuestion((['short', 'long', 'choice', 'scale', 'date'] as const)[index % 5]!, `q${index}`),
    label: `Question number ${index}`,
    options: ['Yes', 'No', 'A little'],
    condition: index % 10 === 3 ? { question: `q${index - 1}`, test: 'is' as const, value: 'Yes' } : null,
  }))
  await inTenant(coach, (tx) => createForm(tx, NewForm.parse({ name: 'Long form', questions })))
  await coach.signIn(page.context())
  await page.goto('/forms')
  await waitForHydration(page)
  const rows = page.getByRole('list', { name: 'Questions' }).getByRole('listitem')
  await expectNoLongTasks(page, 'coming to the builder', async () => {
    await page.getByRole('complementary').getByRole('link', { name: 'Forms' }).click()
    await expect(page).toHaveURL('/forms')
    await page.getByRole('link', { name: 'Long form', exact: true }).click()
    await expect(rows).toHaveCount(100)
  })
  let from = 4
  await expectNoLongTasks(page, 'dragging a question', async () => {
    const to = from === 4 ? 6 : 4
    const [handle, row, target] = await Promise.all([
      page.locator('[data-handle="q4"]').boundingBox(),
      rows.nth(from).boundingBox(),
      rows.nth(to).boundingBox(),
    ])
    const [x, y] = [handle!.x + handle!.width / 2, handle!.y + handle!.height / 2]
    // A little further than the other one's middle.
    const distance = target!.y - row!.y + (to > from ? 5 : -5)
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (const part of [0.2, 0.5, 0.8, 1]) await page.mouse.move(x, y + distance * part)
    // The line where it would be dropped.
    await expect(rows.nth(to > from ? to + 1 : to)).toHaveClass(/shadow/)
    await page.mouse.up()
    await expect(rows.nth(to)).toContainText('Question number 4')
    from = to
  })
  await expectNoLongTasks(page, 'opening a question', async () => {
    await page.getByRole('link', { name: 'Question number 7', exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })
  await expectNoLongTasks(page, 'the preview and its conditions', async () => {
    await page.getByRole('link', { name: 'Preview' }).click()
    const choice = page.getByRole('group', { name: 'Question number 2', exact: true })
    await choice.getByLabel('Yes').check()
    await expect(page.getByRole('group', { name: 'Question number 3', exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Questions' }).click()
    await expect(rows).toHaveCount(100)
  })
})

test('what was typed into a question that another tab deletes can be added again', async ({ page, app }) => {
  const coach = await app.createCoach()
  const questions = [newQuestion('short', 'job'), newQuestion('short', 'city')].map((question) => ({
    ...question,
    label: `Your ${question.id}?`,
    help: `About your ${question.id}`,
  }))
  const { id } = await inTenant(coach, (ctx) => createForm(ctx, NewForm.parse({ name: 'Intake', questions })))
  await coach.signIn(page.context())
  await page.goto(`/forms/${id}`)
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Your job?' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Short answer' })
  await edit.getByLabel('Question', { exact: true }).fill('What do you do?')
  await inTenant(coach, (ctx) => deleteQuestion(ctx, id, 'job'))
  await edit.getByRole('button', { name: 'Save' }).click()
  const add = page.getByRole('dialog', { name: 'Add Short answer' })
  await expect(add).toContainText('This question was deleted in another tab. Save it to add it again.')
  await expect(add.getByLabel('Question', { exact: true })).toHaveValue('What do you do?')
  await add.getByRole('button', { name: 'Add Question' }).click()
  await expect(page.getByText('Question saved')).toBeVisible()
  await expect(add).toBeHidden()
  const { questions: saved } = await getForm(await contextFor(coach), id)
  expect(saved.map(({ label, help }) => [label, help])).toEqual([
    ['Your city?', 'About your city'],
    ['What do you do?', 'About your job'],
  ])
})

test('answers that are typed during a save are sent when the page is closed', async ({ page, app }) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  const questions = [{ ...newQuestion('short', 'job'), label: 'What do you do?' }]
  const formId = (await inTenant(coach, (ctx) => createForm(ctx, NewForm.parse({ name: 'Intake', questions })))).id
  await inTenant(coach, (ctx) => publishForm(ctx, formId))
  const submission = await inTenant(coach, (ctx) => sendForm(ctx, { formId, clientId: grace!.id }))
  await page.goto(formLink.getUrl(await contextFor(coach), submission.id)!)
  // A save that never ends, and what is sent beside it.
  await page.evaluate(() => {
    const sent: { keepalive: boolean; body: string }[] = []
    Object.assign(window, { sent })
    const note = async (body: unknown, keepalive: boolean) =>
      sent.push({ keepalive, body: await (body as Blob).text() })
    window.fetch = (_address, options) => {
      void note(options!.body, options!.keepalive === true)
      return new Promise(() => {})
    }
    navigator.sendBeacon = (_address, body) => {
      void note(body, true)
      return true
    }
  })
  const read = () =>
    page.evaluate(() =>
      (window as unknown as { sent: { keepalive: boolean; body: string }[] }).sent.map(({ keepalive, body }) => {
        const { version, answers } = JSON.parse(body)
        return [keepalive, version, answers.job[0]]
      }),
    )
  await page.getByLabel('What do you do?').fill('I build')
  await expect.poll(async () => (await read()).length).toBe(1)
  const [[, version]] = (await read()) as [[boolean, number, string]]
  await page.getByLabel('What do you do?').fill('I build bridges')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
  await expect.poll(read).toEqual([
    [true, version, 'I build'],
    [true, version + 1, 'I build bridges'],
  ])
})
