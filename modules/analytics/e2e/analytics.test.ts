import { readFile } from 'node:fs/promises'
import { mainFlow } from '#tests/e2e/support/main-flow.ts'
import { expect, getClients } from '#tests/e2e/support/test-app.ts'
import { waitForHydration } from '#tests/e2e/support/wait-for-idle.ts'
import { createProduct, createPurchase } from '#tests/support/factories.ts'

mainFlow('a number opens its rows, which add up to it, on the page and in the file', async ({ page, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Grace Hopper' }, { name: 'Ada Lovelace' }] })
  const clients = (await getClients(coach)).toSorted((a, b) => b.name.localeCompare(a.name))
  const { id: productId } = await createProduct({ coach })
  for (const [index, amount] of [15_000, 5_050, 20_075].entries()) {
    const clientId = clients[index % 2]!.id
    await createPurchase({ coach, clientId, productId, amount, purchaseDate: `2026-03-0${index + 2}T17:00:00Z` })
  }
  await coach.signIn(page.context())
  await page.goto('/analytics')
  await waitForHydration(page)
  await page.getByRole('combobox', { name: 'Period' }).selectOption('This month')
  await expect(page.getByText('Mar 1 – Mar 11, 2026')).toBeVisible()

  await page.getByRole('link', { name: 'Revenue: $401.25' }).click()
  await expect(page.getByRole('heading', { name: 'Revenue', level: 1 })).toBeVisible()
  const amounts = page.getByRole('table', { name: 'Rows of Revenue' }).locator('tbody td:last-child')
  await expect(amounts).toHaveText(['$200.75', '$50.50', '$150.00'])
  await expect(page.locator('.stat').filter({ hasText: 'Total' })).toContainText('$401.25')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Revenue 2026-03-01 2026-03-11.csv')
  const [, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  const cents = lines.map((line) => Math.round(100 * Number(line.split(',').at(-2))))
  expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(40_125)

  await page.getByRole('link', { name: 'By client' }).click()
  await page.getByRole('link', { name: 'Ada Lovelace: $50.50' }).click()
  await expect(amounts).toHaveText(['$50.50'])
  await expect(page.getByText('Client: Ada Lovelace')).toBeVisible()
})
