import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { findViolations } from '#tests/e2e/support/axe.ts'
import { phone } from '#tests/e2e/support/screens.ts'
import { createClient, expect, test } from '#tests/e2e/support/test-app.ts'

test.use({ startTime: '2026-03-10T14:00:00Z' })
const url = '/settings/calendar/import'
const google = readFileSync(path.join(import.meta.dirname, '../calendar-import/fixtures/google.ics'), 'utf8')

/** Uploads a calendar, or the file at a path. */
async function choose(page: Page, content: string): Promise<void> {
  await page.goto(url)
  await page
    .getByLabel('Calendar file')
    .setInputFiles(
      content.endsWith('.ics')
        ? content
        : { name: 'work.ics', mimeType: 'text/calendar', buffer: Buffer.from(content) },
    )
  await page.getByRole('button', { name: 'Upload and Preview' }).click()
}
async function expectAccessible(page: Page): Promise<void> {
  const violations = await findViolations(page)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled, viewport: phone })

    test('a coach on a phone imports a calendar, sees it, imports it again and undoes it', async ({ app, page }) => {
      test.slow()
      const coach = await app.createCoach({ timezone: 'Europe/Berlin' })
      await createClient({ coach, name: 'Mara Lind', email: 'mara@example.com' })
      await coach.signIn(page.context())
      await page.goto('/settings/calendar')
      await page.getByRole('link', { name: 'Import a Calendar' }).click()

      await choose(page, google)
      await expect(page.getByText('To be added: 3 sessions and 1 busy time.')).toBeVisible()
      await expect(page.getByRole('list', { name: 'Sessions' })).toContainText('Coaching, with Mara Lind')
      await expect(page.getByRole('list', { name: 'Left out' })).toContainText('1 cancelled')
      if (javaScriptEnabled) await expectAccessible(page)
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await expect(page.getByText('Added: 3 sessions and 1 busy time.', { exact: true })).toBeVisible()

      await page.goto('/calendar?date=2026-04-11')
      await page.getByRole('list', { name: 'Busy times' }).getByRole('link').click()
      await expect(page.getByRole('heading', { level: 1, name: 'Retreat' })).toBeVisible()
      await expect(page.getByText('Friday, April 10 – Sunday, April 12')).toBeVisible()
      if (javaScriptEnabled) await expectAccessible(page)
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.waitForURL(/calendar\?date=2026-04-10/)
      await expect(page.getByRole('list', { name: 'Busy times' })).toHaveCount(0)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(page.getByRole('list', { name: 'Busy times' })).toContainText('Retreat')

      await choose(page, google)
      await expect(page.getByText('There is nothing to add from this file.')).toBeVisible()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Undo the import of work.ics' }).click()
      await expect(page.getByRole('list', { name: 'Imported' })).toHaveCount(0)
      await page.goto('/calendar?date=2026-04-10')
      await expect(page.getByRole('list', { name: 'Busy times' })).toHaveCount(0)
    })

    test('a file of 50 MB, and one of another kind, are refused with a reason', async ({ app, page }) => {
      const coach = await app.createCoach()
      await coach.signIn(page.context())
      const large = test.info().outputPath('large.ics')
      await writeFile(large, Buffer.alloc(50 * 1024 * 1024, 'x'))
      await choose(page, large)
      await expect(page.getByText('This file is larger than 5 MB.')).toBeVisible()
      await choose(page, 'Name,Email')
      await expect(page.getByText('This is not a calendar file.')).toBeVisible()
    })
  })

test('week and month show busy times behind the sessions', async ({ app, page }) => {
  const coach = await app.createCoach({ timezone: 'Europe/Berlin' })
  await coach.signIn(page.context())
  await choose(
    page,
    google
      .replace('DTSTART;VALUE=DATE:20260410', 'DTSTART;TZID=Europe/Berlin:20260410T100000')
      .replace('DTEND;VALUE=DATE:20260413', 'DTEND;TZID=Europe/Berlin:20260410T120000'),
  )
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText(/^Added: /)).toBeVisible()
  await page.goto('/calendar?view=week&date=2026-04-10')
  await expect(page.getByRole('link', { name: 'Busy: Retreat, 10:00 AM – 12:00 PM' })).toBeVisible()
  await page.goto('/calendar?date=2026-04-10')
  await page.getByRole('link', { name: 'Busy on Friday, April 10: Retreat' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Retreat' })).toBeVisible()
})
