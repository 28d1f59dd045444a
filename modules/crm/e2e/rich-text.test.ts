import { contextFor, expect, getClients, test } from '#tests/e2e/support/test-app.ts'

test('notes are formatted by keyboard, stored as markup and shown as written', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(page.context())
  await page.goto('/clients')
  await page.getByRole('link', { name: 'Ada Lovelace' }).click()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  // Before hydration the field is a text area.
  await expect(page.getByRole('toolbar', { name: 'Formatting Session Notes' })).toBeVisible()
  const notes = page.getByRole('textbox', { name: 'Session Notes & Observations' })
  await notes.click()
  await page.keyboard.type('# Session 5')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Came in ')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('tired but clear')
  await page.keyboard.press('Control+b')
  await page.keyboard.type(', 5 * 3 = 15 <b>no</b>')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- Sleeps better')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Walks *a lot* and ==sleeps==')
  await page.keyboard.press('Backspace')
  await page.keyboard.type(' _well_')
  // The toolbar is one tab stop before the text; arrow keys move within it.
  await page.keyboard.press('Shift+Tab')
  const tools = page.getByRole('toolbar', { name: 'Formatting Session Notes' })
  await expect(tools.getByRole('button', { name: 'Bold' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tools.getByRole('button', { name: 'Italic' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(tools.getByRole('button', { name: 'Heading 3' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tools.getByRole('button', { name: 'Bold' })).toBeFocused()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()

  const read = page.getByRole('region', { name: 'Session Notes & Observations' })
  await expect(read.getByRole('heading', { name: 'Session 5' })).toBeVisible()
  await expect(read.locator('strong')).toHaveText('tired but clear')
  await expect(read).toContainText(', 5 * 3 = 15 <b>no</b>')
  await expect(read.getByRole('listitem')).toHaveText(['Sleeps better', 'Walks a lot and ==sleeps== _well_'])
  const [stored] = await (await contextFor(coach)).query<{ notes: string }>({
    name: 'test.notes',
    text: 'select notes from client',
  })
  expect(stored!.notes).toBe(
    '# Session 5\nCame in **tired but clear**, 5 \\* 3 = 15 <b>no</b>\n• Sleeps better\n' +
      '• Walks *a lot* and \\=\\=sleeps\\=\\= _well\\_',
  )
})

test('a button of the toolbar is pressed while the caret is in its format, and only while the editor has the focus', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace', notes: '# Session 5' }] })
  await coach.signIn(page.context())
  const [client] = await getClients(coach)
  await page.goto(`/clients/${client!.id}?edit`)
  const heading = page
    .getByRole('toolbar', { name: 'Formatting Session Notes' })
    .getByRole('button', { name: 'Heading 1' })
  await expect(heading).toHaveAttribute('aria-pressed', 'false')
  const notes = page.getByRole('textbox', { name: 'Session Notes & Observations' })
  await notes.click()
  await expect(heading).toHaveAttribute('aria-pressed', 'true')
  await heading.click()
  await expect(heading).toHaveAttribute('aria-pressed', 'false')
  await expect(notes).toBeFocused()
})

test('a key acts at the caret that the key before it has moved, on a busy page too', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace', notes: 'Came in tired' }] })
  await coach.signIn(page.context())
  const [client] = await getClients(coach)
  await page.goto(`/clients/${client!.id}?edit`)
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  const notes = page
    .getByRole('textbox', { name: 'Session Notes & Observations' })
    .and(page.locator('[contenteditable]'))
  await notes.focus()
  const browser = await page.context().newCDPSession(page)
  const press = (key: { key: string; windowsVirtualKeyCode: number; modifiers?: number; text?: string }) =>
    browser.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key })
  // All keys arrive while the page can't handle any.
  const busy = page.evaluate(() => {
    for (const end = performance.now() + 1000; performance.now() < end; );
  })
  await Promise.all([
    press({ key: 'End', windowsVirtualKeyCode: 35, modifiers: 2 }),
    press({ key: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }),
    press({ key: 'x', windowsVirtualKeyCode: 88, text: 'x' }),
    busy,
  ])
  await expect(page.locator('textarea[name=notes]')).toHaveValue('Came in tired\nx')
})
