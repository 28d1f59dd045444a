import type { Page } from '@playwright/test'
import { expect, test, type BrowserErrors } from './test-app.ts'
import { waitForHydration } from './wait-for-idle.ts'

/**
 * A form or one-click action on a page: the values to enter, the button to press, and the toast that reports the
 * failure.
 */
export type OfflineForm = [path: string, values: Record<string, string>, button: string, title: string, text: string]

/** Submits each form while the server is unreachable. Expects its failure message, and that it keeps its values. */
export async function expectOfflineErrors(
  page: Page,
  browserErrors: BrowserErrors,
  forms: OfflineForm[],
): Promise<void> {
  await blockRequests(page)
  for (const form of forms) await expectOfflineError(page, form)
  browserErrors.ignore(networkErrors)
}

/** The browser's errors for blocked requests. */
export const networkErrors = /ERR_FAILED|Failed to fetch/

/** Lets pages load and blocks everything else. */
export async function blockRequests(page: Page): Promise<void> {
  await page.route(/\.data(\?|$)|\/api\//, (route) => route.abort())
}

async function expectOfflineError(page: Page, [path, values, button, title, text]: OfflineForm): Promise<void> {
  await test.step(`${button} on ${path}`, async () => {
    await page.goto(path)
    await waitForHydration(page)
    const form = page.locator('dialog').or(page.getByRole('main')).last()
    for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
    await form.getByRole('button', { name: button, exact: true }).first().click()
    const toast = page.getByRole('alert').filter({ hasText: title })
    await expect(toast).toContainText(text)
    for (const [name, value] of Object.entries(values)) await expect(field(page, name)).toHaveValue(value)
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
    await expect(form.getByRole('button', { name: button, exact: true }).first()).toBeEnabled()
  })
}

const field = (page: Page, name: string) => page.locator(`[name="${name}"]:not([type="hidden"])`).last()
