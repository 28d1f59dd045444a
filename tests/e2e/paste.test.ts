import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { type Coach, contextFor, expect, getClients, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

// Clipboard contents of these programs, as Chromium passes them to a page.
const readClipboardFixture = (name: string): string =>
  readFileSync(new URL(`./support/clipboard/${name}.html`, import.meta.url), 'utf8')
const notes = (page: Page) =>
  page.getByRole('textbox', { name: 'Session Notes & Observations' }).and(page.locator('[contenteditable]'))

async function open(page: Page, coach: Coach): Promise<void> {
  await coach.signIn(page.context())
  const [client] = await getClients(coach)
  await page.goto(`/clients/${client!.id}?edit`)
  await waitForHydration(page)
  await notes(page).click()
}

async function paste(page: Page, what: Record<string, string>): Promise<void> {
  await notes(page).evaluate((element, types) => {
    const clipboardData = new DataTransfer()
    for (const [type, text] of Object.entries(types)) clipboardData.setData(type, text)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, what)
}

async function saveAndReadNotes(page: Page, coach: Coach): Promise<string> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Client changes saved successfully.')).toBeVisible()
  const [row] = await (await contextFor(coach)).query<{ notes: string }>({
    name: 'test.pasted',
    text: 'select notes from client',
  })
  return row!.notes
}

const expected = {
  'google-docs':
    '# Session 5\nCame in **tired*** but *__clear__==, for once==\n\n• One\n• Inner\n• **Two**\n## To watch\nFirst line\nsecond line',
  word: '# Session 5\nCame in **tired*** but *__clear__==, for once==\n\n• One\n• **Two**\n## To watch\nMon ran',
  'web-page':
    '## Session 5\nCame in **tired*** but *clear==, for once==\n• One\n• Inner code\n• Two and more\nSmall heading\n5 \\* 3 \\* 2 <b>no</b> gone **bold **plain\nline one\nline two',
}

for (const [source, markup] of Object.entries(expected)) {
  test(`text pasted from ${source} keeps supported formatting only`, async ({ page, app }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
    await open(page, coach)
    await paste(page, { 'text/html': readClipboardFixture(source), 'text/plain': 'not this' })
    expect(await saveAndReadNotes(page, coach)).toBe(markup)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })
}

test('plain text is pasted line by line, with markup characters taken literally', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
  await open(page, coach)
  await paste(page, { 'text/plain': 'First **not bold**\r\n\r\n• one\r\n• two\r\n# no heading\u000bsame line' })
  await expect(notes(page).getByRole('listitem')).toHaveText(['one', 'two'])
  await expect(notes(page).locator('strong, h3')).toHaveCount(0)
  expect(await saveAndReadNotes(page, coach)).toBe(
    'First \\*\\*not bold\\*\\*\n\n• one\n• two\n\\# no heading same line',
  )
})

test('text copied from notes is pasted unchanged', async ({ page, app }) => {
  const coach = await app.createCoach({
    clients: [{ name: 'Ada Lovelace', notes: '# Plan\n• **call** ==Ada==\n• rest\n### Later\nword' }],
  })
  await open(page, coach)
  const html = await notes(page).evaluate((element) => {
    const selection = getSelection()!
    selection.selectAllChildren(element)
    return new Promise<string>((done) => {
      document.addEventListener(
        'selectionchange',
        () =>
          setTimeout(() => {
            const clipboardData = new DataTransfer()
            element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
            done(clipboardData.getData('text/html'))
          }),
        { once: true },
      )
    })
  })
  expect(html).toContain('<strong>call</strong>')
  await paste(page, { 'text/html': html })
  expect(await saveAndReadNotes(page, coach)).toBe('# Plan\n• **call** ==Ada==\n• rest\n### Later\nword')
})

test('fifty thousand nested tags are pasted in well under a second', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
  await open(page, coach)
  const began = Date.now()
  await paste(page, {
    'text/html': `${'<div><b><i>'.repeat(500)}deep${'</i></b></div>'.repeat(500)}`,
    'text/plain': 'x',
  })
  await paste(page, { 'text/plain': '*'.repeat(20_000) })
  // Superlinear code takes minutes; a busy machine takes seconds.
  expect(Date.now() - began).toBeLessThan(15_000)
  expect(await saveAndReadNotes(page, coach)).toContain('deep')
})
