import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import type { OutboxMail } from '#tenants/mail.ts'
import { clientsOf, expect, test, type House } from './support/test-app.ts'
import { hydrated } from './support/wait-for-idle.ts'

const password = 'correct horse'

test('a visitor registers, is signed in, signs out, and signs in again', async ({ page }) => {
  const email = `new-${process.pid}-${Date.now()}@example.com`
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started Free' }).first().click()
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Lind')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('status').filter({ hasText: 'Registration successful' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Nora')

  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('See you next time!')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/auth?next=%2Fdashboard')

  await signInByForm(page, email)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Welcome back!')).toBeVisible()
})

test('a taken address is said beside its field, and what was typed stays', async ({ page, house }) => {
  const coach = await house.aCoach()
  await page.goto('/auth?tab=register')
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Lind')
  await page.getByLabel('Email').fill(coach.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page.getByText('An account with this email already exists').first()).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Nora')
  await expect(page.getByLabel('Email')).toHaveValue(coach.email)
})

test('a wrong password and an unknown address get the same sentence, and the address stays', async ({
  page,
  house,
}) => {
  const coach = await house.aCoach({ password })
  await page.goto('/auth')
  for (const email of [coach.email, 'nobody@example.com']) {
    await signInByForm(page, email, 'wrong password')
    await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toContainText('Invalid email or password')
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await page.getByRole('button', { name: 'Dismiss' }).click()
  }
  await signInByForm(page, coach.email)
  await expect(page).toHaveURL('/dashboard')
})

test('after sign-in the visitor is where they wanted to go, and nowhere else', async ({ page, house }) => {
  const coach = await house.aCoach({ password })
  await page.goto('/settings')
  await expect(page).toHaveURL('/auth?next=%2Fsettings')
  await signInByForm(page, coach.email)
  await expect(page).toHaveURL('/settings')

  await page.context().clearCookies()
  await page.goto('/auth?next=https://elsewhere.example/')
  await signInByForm(page, coach.email)
  await expect(page).toHaveURL('/dashboard')
})

test('a signed-in coach has no business on /auth', async ({ page, house }) => {
  const coach = await house.aCoach()
  await coach.signIn(page.context())
  await page.goto('/auth')
  await expect(page).toHaveURL('/dashboard')
})

test('signing out in one tab ends the other', async ({ page, context, house }) => {
  const coach = await house.aCoach()
  await coach.signIn(context)
  await page.goto('/dashboard')
  const other = await context.newPage()
  await other.goto('/dashboard')
  await other.getByRole('button', { name: 'Log out' }).click()
  await expect(other).toHaveURL('/auth')

  await page.getByRole('link', { name: 'Settings' }).first().click()
  await expect(page).toHaveURL('/auth?next=%2Fsettings')
})

test('who saves after the session has ended is told, signs in beside it, and saves what was typed', async ({
  page,
  context,
  house,
}) => {
  const coach = await house.aCoach({ password, clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(context)
  const { id } = (await clientsOf(coach))[0]!
  const at = `/clients/${id}?edit`
  await page.goto(at)
  await hydrated(page)
  await page.getByLabel('Profession').fill('Mathematician')
  await context.clearCookies({ name: 'session' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('What you sent was not saved. Sign in to send it again.')).toBeVisible()
  await expect(
    page.getByText('You are signed out. Sign in from another tab, then send this again: what you typed stays here.'),
  ).toBeVisible()
  await expect(page).toHaveURL(at)

  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Sign In' }).click()
  const beside = await opened
  await signInByForm(beside, coach.email)
  await expect(beside).toHaveURL('/dashboard')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(`/clients/${id}`)
  await expect(page.getByText('Mathematician')).toBeVisible()
})

test('what one coach typed is not saved into the practice of another who signed in meanwhile', async ({
  page,
  context,
  house,
}) => {
  const [ada, bea] = [await house.aCoach(), await house.aCoach()]
  await ada.signIn(context)
  await page.goto('/clients?dialog=add')
  await hydrated(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Secret of Ada')
  await dialog.getByLabel('Email').fill('secret@example.com')
  await context.clearCookies({ name: 'session' })
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByText('You are signed out. Sign in from another tab')).toBeVisible()
  await bea.signIn(context)
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByText('Somebody else is signed in by now.')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toHaveValue('Secret of Ada')
  expect(await clientsOf(bea)).toEqual([])
  await ada.signIn(context)
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Client added successfully!')).toBeVisible()
  expect(await clientsOf(ada)).toMatchObject([{ name: 'Secret of Ada' }])
})

for (const at of ['/pipeline?dialog=add', '/calendar?dialog=schedule']) {
  test(`looking at ${at} again after the session has ended takes nothing away`, async ({
    page,
    context,
    house,
    complaints,
  }) => {
    const coach = await house.aCoach({ clients: [{ name: 'Ada Lovelace' }] })
    await coach.signIn(context)
    await page.goto(at)
    await hydrated(page)
    const typed = page.getByRole('dialog').getByRole('textbox').first()
    await typed.fill('Typed')
    await context.clearCookies({ name: 'session' })
    const asked = page.waitForResponse('**/api/user')
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    expect((await asked).status()).toBe(401)
    await expect(typed).toHaveValue('Typed')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Add Prospect|Schedule/ })
      .click()
    await expect(page.getByText('You are signed out').first()).toBeVisible()
    await expect(typed).toHaveValue('Typed')
    complaints.forget(/401/)
  })
}

test('who deletes after the session has ended is told, and stays', async ({ page, context, house }) => {
  const coach = await house.aCoach({ clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(context)
  const at = `/clients/${(await clientsOf(coach))[0]!.id}`
  await page.goto(at)
  await hydrated(page)
  await page
    .getByRole('link', { name: /Delete/ })
    .first()
    .click()
  const sure = page.getByRole('dialog').getByRole('button', { name: /Delete/ })
  await expect(sure).toBeVisible()
  await context.clearCookies({ name: 'session' })
  await sure.click()
  await expect(page.getByRole('dialog').getByText('You are signed out')).toBeVisible()
  expect(await clientsOf(coach)).toHaveLength(1)
})

test('before scripts have loaded, who saves after the session has ended is told at the sign-in, and comes back', async ({
  browser,
  house,
}) => {
  const coach = await house.aCoach({ password, clients: [{ name: 'Ada Lovelace' }] })
  const context = await browser.newContext({ javaScriptEnabled: false })
  await coach.signIn(context)
  const page = await context.newPage()
  const at = `/clients/${(await clientsOf(coach))[0]!.id}?edit`
  await page.goto(at)
  await context.clearCookies({ name: 'session' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('You are signed out')).toBeVisible()
  await expect(page).toHaveURL(`/auth?next=${encodeURIComponent(at)}`)
  await signInByForm(page, coach.email)
  await expect(page).toHaveURL(at)
})

test('a long address stays within the sidebar', async ({ page, context, house }) => {
  const coach = await house.aCoach({
    email: `maximiliana.featherstone-haugh.${Date.now()}@coaching-practice.example.com`,
  })
  await coach.signIn(context)
  await page.goto('/dashboard')
  const [sidebar, logout] = await Promise.all([
    page.locator('aside.sidebar').boundingBox(),
    page.getByRole('button', { name: 'Log out' }).first().boundingBox(),
  ])
  expect(logout!.x + logout!.width).toBeLessThanOrEqual(sidebar!.x + sidebar!.width)
})

test('a forgotten password is changed by the mailed link, once, and ends every session', async ({
  page,
  context,
  browser,
  house,
  complaints,
}) => {
  const coach = await house.aCoach({ password })
  const elsewhere = await browser.newContext()
  await coach.signIn(elsewhere)
  const other = await elsewhere.newPage()
  complaints.watch(other)
  await other.goto('/settings')
  await expect(other.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()

  await page.goto('/auth')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email').fill(coach.email.toUpperCase())
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()

  const link = linkOf(await mailTo(house, coach.email))
  await page.goto(link)
  await page.getByLabel('New password').fill('battery staple')
  await page.getByRole('button', { name: 'Save Password' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(page.getByText('Password changed')).toBeVisible()

  await other.reload()
  await expect(other).toHaveURL('/auth?next=%2Fsettings')
  await elsewhere.close()

  await signInByForm(page, coach.email)
  await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toBeVisible()
  await signInByForm(page, coach.email, 'battery staple')
  await expect(page).toHaveURL('/dashboard')

  await context.clearCookies()
  await page.goto(link)
  await page.getByLabel('New password').fill('something else')
  await page.getByRole('button', { name: 'Save Password' }).click()
  await expect(page.getByText('This link has expired or was already used').first()).toBeVisible()
})

test('the mail asked for on a coach’s own host speaks in the coach’s name, and its link has the configured origin', async ({
  page,
  house,
}) => {
  const coach = await house.aCoach({ password, ownHost: true, businessName: 'Winter Coaching' })
  await page.goto(`${coach.origin}/auth/forgot`)
  await page.getByLabel('Email').fill(coach.email)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()

  const mail = await mailTo(house, coach.email)
  expect(mail.from).toContain('Winter Coaching')
  expect(mail.text).not.toContain(house.platform.config.platformName)
  expect(new URL(linkOf(mail)).origin).toBe(house.platform.config.origin)
})

test('on their own host a coach signs in under their own name and colour', async ({ page, house }) => {
  const coach = await house.aCoach({
    password,
    ownHost: true,
    businessName: 'Winter Coaching',
    primaryColor: '#7a2e5d',
    bio: 'I help people rest.',
  })
  await page.goto(coach.origin)
  await expect(page.getByText('I help people rest.')).toBeVisible()
  await expect(page).toHaveTitle(/Winter Coaching/)
  await page.goto(`${coach.origin}/auth`)
  await expect(page.getByRole('link', { name: 'Register' })).toHaveCount(0)
  await signInByForm(page, coach.email)

  await expect(page).toHaveURL(`${coach.origin}/dashboard`)
  expect(await brandOf(page)).toBe('#7a2e5d')
  await expect(page.locator('body')).not.toContainText(house.platform.config.platformName)
})

test('below Premium the own host says by whom it is powered', async ({ page, house }) => {
  const coach = await house.aCoach({ plan: 'pro', ownHost: true })
  await page.goto(coach.origin)
  await expect(page.getByText(`Powered by ${house.platform.config.platformName}`)).toBeVisible()
})

test('another coach is refused on this host like a wrong password', async ({ page, house }) => {
  const [ada, bea] = [await house.aCoach({ ownHost: true }), await house.aCoach({ password })]
  await page.goto(`${ada.origin}/auth`)
  await signInByForm(page, bea.email)
  await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toContainText('Invalid email or password')

  await bea.signIn(page.context(), { origin: ada.origin })
  await page.goto(`${ada.origin}/dashboard`)
  await expect(page).toHaveURL(`${ada.origin}/auth?next=%2Fdashboard`)
})

test('one press leads from the platform to the own host, signed in, and the token works once', async ({
  page,
  context,
  house,
}) => {
  const coach = await house.aCoach({ ownHost: true })
  await coach.signIn(context)
  await page.goto('/dashboard')
  await page
    .getByRole('button', { name: /^Account:/ })
    .first()
    .click()
  const handedOver = page.waitForRequest((request) => request.url().includes('/handover?token='))
  await page.getByRole('button', { name: 'Go to my own address' }).click()
  await expect(page).toHaveURL(`${coach.origin}/dashboard`)

  const used = (await handedOver).url()
  await context.clearCookies()
  await page.goto(used)
  await expect(page).toHaveURL(`${coach.origin}/auth`)
})

test('a renamed subdomain works at once, and the old one leads nowhere', async ({ page, context, house }) => {
  const coach = await house.aCoach({ ownHost: true, businessName: 'Winter Coaching' })
  await coach.signIn(context, { origin: coach.origin })
  await page.goto(`${coach.origin}/branding`)
  const renamed = `${coach.subdomain}-new`
  await page.getByLabel('Web address').fill(renamed)
  await page.getByRole('button', { name: 'Save Branding' }).click()
  await expect(page).toHaveURL(new RegExp(`//${renamed}\\.`))

  const gone = await page.goto(coach.origin)
  expect(gone?.status()).toBe(421)
  const there = await page.goto(coach.origin.replace(coach.subdomain!, renamed))
  expect(there?.status()).toBe(200)
  await expect(page).toHaveTitle(/Winter Coaching/)
})

test('an unknown host is a plain page, and so is an unknown path', async ({ page, house }) => {
  const nobody = await page.goto(house.platform.config.origin.replace('//', '//nobody-is-here.'))
  expect(nobody?.status()).toBe(421)
  const nowhere = await page.goto('/nowhere')
  expect(nowhere?.status()).toBe(404)
  await expect(page.getByText('404 Page Not Found')).toBeVisible()
})

test('the admin area is not on a coach’s own host, and not for another coach', async ({ page, context, house }) => {
  const [admin, coach] = [await house.aCoach({ isAdmin: true, ownHost: true }), await house.aCoach()]
  await admin.signIn(context, { origin: admin.origin })
  expect((await page.goto(`${admin.origin}/admin`))?.status()).toBe(404)
  await expect(page.getByRole('link', { name: 'Admin Console' })).toHaveCount(0)
  await coach.signIn(context)
  expect((await page.goto('/admin'))?.status()).toBe(403)
})

async function signInByForm(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

const brandOf = (page: Page): Promise<string> =>
  page.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--brand').trim())

/** The newest mail to `email`, as soon as a job has written it. */
async function mailTo({ platform }: House, email: string): Promise<OutboxMail> {
  const folder = path.join(platform.config.dataDir, 'outbox')
  let found: OutboxMail | undefined
  await expect(async () => {
    const names = (await readdir(folder))
      .filter((name) => !name.startsWith('.'))
      .sort()
      .reverse()
    const mails = await Promise.all(
      names.map(async (name): Promise<OutboxMail> => JSON.parse(await readFile(path.join(folder, name), 'utf8'))),
    )
    found = mails.find((mail) => mail.to === email)
    expect(found).toBeDefined()
  }).toPass({ timeout: 20_000 })
  return found!
}

const linkOf = ({ text }: OutboxMail): string => /https?:\/\/\S+/.exec(text)![0]
