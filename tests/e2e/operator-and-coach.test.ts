import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { runtime } from '#app/server/process/runtime.ts'
import { importPractice } from '#modules/core/practice-export/import-practice.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { dropDatabaseAndRoles, withDatabaseName } from '#tests/support/database.ts'
import { e2eConfig } from '#tests/support/e2e-config.ts'
import { createProduct, createPurchase } from '#tests/support/factories.ts'
import { startForwardProxy } from './support/forward-proxy.ts'
import { extractLink, findMail } from './support/mails.ts'
import { proveDomain } from './support/prove-domain.ts'
import { contextFor, createClient, expect, getClients, test, type Coach } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

const password = 'chosen by the coach'

test('an invited coach sets up, has their own domain, reads why the quarter was better, and moves elsewhere', async ({
  page,
  app,
  newContext,
  e2eState,
}) => {
  const admin = await app.createCoach({ isAdmin: true })
  await admin.signIn(page.context())
  const email = `invited-${admin.id}@example.com`
  await inviteCoach(page, email)

  const own = await (await newContext({ baseURL: app.platform.config.origin })).newPage()
  await own.goto(extractLink(await findMail(app, email)))
  await acceptInvitation(own, email)
  await finishOnboarding(own, `her-name-${admin.id}`)

  const coach = await app.getCoach(email)
  const domain = `coaching.her-name-${admin.id}.example`
  await connectDomain(own, coach, domain)
  const proxy = await startForwardProxy(Number(new URL(app.platform.config.origin).port))
  const visitor = await (await newContext({ proxy: { server: proxy.server } })).newPage()
  try {
    for (const address of ['/', '/book', '/portal/sign-in', '/nowhere']) {
      await visitor.goto(`http://${domain}:${new URL(app.platform.config.origin).port}${address}`)
      await expect(visitor).toHaveTitle(/Winter Coaching/)
      expect(await visitor.content()).not.toContain(app.platform.config.platformName)
    }
  } finally {
    await proxy.close()
  }

  const { id: clientId } = await createClient({ coach, name: 'Grace Hopper' })
  const { id: productId } = await createProduct({ coach })
  for (const [day, amount] of [
    ['2025-11-03', 20_000],
    ['2026-01-20', 15_000],
    ['2026-03-02', 25_050],
  ] as const)
    await createPurchase({ coach, clientId, productId, amount, purchaseDate: `${day}T17:00:00Z` })
  await own.goto('/analytics')
  await waitForHydration(own)
  await own.getByRole('combobox', { name: 'Period' }).selectOption('This quarter')
  const revenue = own.getByRole('link', { name: 'Revenue: $400.50' })
  await expect(own.locator('.stat').filter({ has: revenue })).toContainText(/\$200\.00 ?\(\+100%\)/)
  await revenue.click()
  await expect(own.getByRole('table', { name: 'Rows of Revenue' }).locator('tbody td:last-child')).toHaveText([
    '$250.50',
    '$150.00',
  ])

  const folder = await mkdtemp(path.join(tmpdir(), 'practice-move-'))
  try {
    const file = path.join(folder, 'practice.zip')
    await downloadEverything(own, file)
    const moved = await importElsewhere(e2eState.ownerUrl, folder, file)
    expect(moved.email).toBe(email)
    expect(moved.clients).toEqual((await getClients(coach)).map(({ name }) => name))
  } finally {
    await rm(folder, { recursive: true })
  }
})

async function inviteCoach(page: Page, email: string): Promise<void> {
  await page.goto('/admin?dialog=add')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog', { name: 'Add Coach' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Plan').selectOption('Premium')
  await dialog.getByRole('button', { name: 'Add Coach' }).click()
  await expect(page.getByText('Coach Added')).toBeVisible()
}

async function acceptInvitation(page: Page, email: string): Promise<void> {
  await waitForHydration(page)
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Save Password' }).click()
  await expect(page).toHaveURL('/auth')
  await waitForHydration(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/dashboard')
}

async function finishOnboarding(page: Page, subdomain: string): Promise<void> {
  await page.goto('/onboarding')
  await waitForHydration(page)
  await page.getByLabel('Business name').fill('Winter Coaching')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Set Up iCal' }).click()
  await expect(page.getByLabel('Your address')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payment Setup' })).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Web address').fill(subdomain)
  await page.getByRole('button', { name: 'Save Branding' }).click()
  await expect(page.getByText('Branding saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Finish and Go to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
}

async function connectDomain(page: Page, coach: Coach, domain: string): Promise<void> {
  await page.goto('/branding')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Add a Domain' }).click()
  await page.getByLabel('Domain', { exact: true }).fill(domain)
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Add Domain' }).click()
  await expect(page.getByRole('list', { name: 'DNS records' })).toBeVisible()
  await proveDomain(coach)
  await page.reload()
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
}

async function downloadEverything(page: Page, file: string): Promise<void> {
  await page.goto('/settings/export')
  await waitForHydration(page)
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Export Everything' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Download \(/ }).click(),
  ])
  await download.saveAs(file)
}

/** Takes the file in at a second installation, with a database and files of its own. */
async function importElsewhere(ownerUrl: string, folder: string, file: string) {
  const name = `moved_${randomBytes(6).toString('hex')}`
  const otherUrl = withDatabaseName(ownerUrl, name)
  const config = e2eConfig({ ROLE: 'web', LOG_LEVEL: 'error', DATA_DIR: path.join(folder, 'data') })
  await asOwner(ownerUrl, (owner) => owner.query(`create database ${name}`))
  try {
    await runtime.prepare({ ownerUrl: otherUrl, config })
    const platform = await runtime.open({ appUrl: otherUrl, config })
    try {
      const { email, coachId: id } = await asOwner(otherUrl, (owner) => importPractice({ owner, platform }, file, {}))
      const ctx = await contextFor({ id, platform })
      const clients = await ctx.query<{ name: string }>({
        name: 'e2e.moved-clients',
        text: 'select name from client where coach_id = $1 order by created_at desc, id desc',
        values: [id],
      })
      return { email, clients: clients.map((client) => client.name) }
    } finally {
      await platform.close()
    }
  } finally {
    await asOwner(ownerUrl, (owner) => dropDatabaseAndRoles(owner, name))
  }
}
