import type { Page } from '@playwright/test'
import { extractLink, findMail } from './support/mails.ts'
import { getClients, expect, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

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

test('the trial chosen on the landing page starts with the account, in the time zone of the browser', async ({
  browser,
}) => {
  const page = await browser.newPage({ timezoneId: 'Europe/Berlin' })
  await page.goto('/')
  await page.getByRole('link', { name: 'Start Free Trial' }).click()
  await register(page)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Your 14-day Pro trial has started.')).toBeVisible()
  await page.goto('/upgrade')
  await expect(page.getByRole('region', { name: 'Pro', exact: true }).getByText('Free trial')).toBeVisible()
  await page.goto('/settings')
  await expect(page.getByLabel('Time zone')).toHaveValue('Europe/Berlin')
  await page.close()
})

test('Premium chosen on the landing page is shown after registration', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('region', { name: 'Premium' }).getByRole('link', { name: 'Get Started' }).click()
  await register(page)
  await expect(page).toHaveURL('/upgrade?plan=premium')
  await expect(page.getByRole('region', { name: 'Premium' }).getByText('Your choice')).toBeVisible()
})

let registrations = 0

async function register(page: Page): Promise<void> {
  await waitForHydration(page)
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Lind')
  await page.getByLabel('Email').fill(`register-${process.pid}-${++registrations}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

test('a taken email address shows at its field, and the form keeps its values', async ({ page, app }) => {
  const coach = await app.createCoach()
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

test('a wrong password and an unknown email address get the same message, and the email is kept', async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ password })
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

test('sign-in returns to the requested page of this host only', async ({ page, app }) => {
  const coach = await app.createCoach({ password })
  await page.goto('/settings')
  await expect(page).toHaveURL('/auth?next=%2Fsettings')
  await signInByForm(page, coach.email)
  await expect(page).toHaveURL('/settings')

  await page.context().clearCookies()
  await page.goto('/auth?next=https://elsewhere.example/')
  await signInByForm(page, coach.email)
  await expect(page).toHaveURL('/dashboard')
})

test('a signed-in coach is redirected away from /auth', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/auth')
  await expect(page).toHaveURL('/dashboard')
})

test('signing out in one tab signs out the other', async ({ page, context, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(context)
  await page.goto('/dashboard')
  const other = await context.newPage()
  await other.goto('/dashboard')
  await other.getByRole('link', { name: 'Settings' }).first().click()
  await expect(other).toHaveURL('/settings')
  await other.getByRole('button', { name: 'Log out' }).click()
  await expect(other).toHaveURL('/auth')
  await other.goBack()
  await expect(other).toHaveURL(/\/auth\?next=/)
  await expect(other.getByText(coach.email)).toHaveCount(0)

  await page.getByRole('link', { name: 'Settings' }).first().click()
  await expect(page).toHaveURL('/auth?next=%2Fsettings')
})

test('a coach whose session ended signs in in a new tab and saves the form', async ({ page, context, app }) => {
  const coach = await app.createCoach({ password, clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(context)
  const { id } = (await getClients(coach))[0]!
  const at = `/clients/${id}?edit`
  await page.goto(at)
  await waitForHydration(page)
  await page.getByLabel('Profession').fill('Mathematician')
  await context.clearCookies({ name: 'session' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your changes were not saved. Sign in and try again.')).toBeVisible()
  await expect(
    page.getByText('You are signed out. Sign in from another tab, then submit again. Your input is kept.'),
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

test('a form is not saved to another coach who signed in in the same browser', async ({ page, context, app }) => {
  const [ada, bea] = [await app.createCoach(), await app.createCoach()]
  await ada.signIn(context)
  await page.goto('/clients?dialog=add')
  await waitForHydration(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Secret of Ada')
  await dialog.getByLabel('Email').fill('secret@example.com')
  await context.clearCookies({ name: 'session' })
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByText('You are signed out. Sign in from another tab')).toBeVisible()
  await bea.signIn(context)
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(dialog.getByText('Another account is signed in.')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toHaveValue('Secret of Ada')
  expect(await getClients(bea)).toEqual([])
  await ada.signIn(context)
  await dialog.getByRole('button', { name: 'Add Client' }).click()
  await expect(page.getByText('Client added successfully!')).toBeVisible()
  expect(await getClients(ada)).toMatchObject([{ name: 'Secret of Ada' }])
})

for (const at of ['/pipeline?dialog=add', '/calendar?dialog=schedule']) {
  test(`refocusing ${at} after the session ended keeps the page`, async ({ page, context, app, browserErrors }) => {
    const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
    await coach.signIn(context)
    await page.goto(at)
    await waitForHydration(page)
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
    browserErrors.ignore(/401/)
  })
}

test('deleting after the session ended shows a message and stays on the page', async ({ page, context, app }) => {
  const coach = await app.createCoach({ clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(context)
  const at = `/clients/${(await getClients(coach))[0]!.id}`
  await page.goto(at)
  await waitForHydration(page)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const sure = page.getByRole('dialog').getByRole('button', { name: /Delete/ })
  await expect(sure).toBeVisible()
  await context.clearCookies({ name: 'session' })
  await sure.click()
  await expect(page.getByRole('dialog').getByText('You are signed out')).toBeVisible()
  expect(await getClients(coach)).toHaveLength(1)
})

test('without JavaScript, saving after the session ended leads to the sign-in page and back', async ({
  newContext,
  app,
}) => {
  const coach = await app.createCoach({ password, clients: [{ name: 'Ada Lovelace' }] })
  const context = await newContext({ javaScriptEnabled: false })
  await coach.signIn(context)
  const page = await context.newPage()
  const at = `/clients/${(await getClients(coach))[0]!.id}?edit`
  await page.goto(at)
  await context.clearCookies({ name: 'session' })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('You are signed out')).toBeVisible()
  await expect(page).toHaveURL(`/auth?next=${encodeURIComponent(at)}`)
  await signInByForm(page, coach.email)
  await expect(page).toHaveURL(at)
})

test('a long email address fits the sidebar', async ({ page, context, app }) => {
  const coach = await app.createCoach({
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

test('a forgotten password is reset once by the emailed link, which ends every session', async ({
  page,
  context,
  newContext,
  app,
  browserErrors,
}) => {
  const coach = await app.createCoach({ password })
  const elsewhere = await newContext()
  await coach.signIn(elsewhere)
  const other = await elsewhere.newPage()
  browserErrors.watch(other)
  await other.goto('/settings')
  await expect(other.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()

  await page.goto('/auth')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email').fill(coach.email.toUpperCase())
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()

  const link = extractLink(await findMail(app, coach.email))
  await page.goto(link)
  await page.getByLabel('New password').fill('battery staple')
  await page.getByRole('button', { name: 'Save Password' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(page.getByText('Password changed')).toBeVisible()

  await other.reload()
  await expect(other).toHaveURL('/auth?next=%2Fsettings')

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

test("the reset email from a coach's own host uses the coach's name and the configured origin", async ({
  page,
  app,
}) => {
  const coach = await app.createCoach({ password, ownHost: true, businessName: 'Winter Coaching' })
  await page.goto(`${coach.origin}/auth/forgot`)
  await page.getByLabel('Email').fill(coach.email)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()

  const mail = await findMail(app, coach.email)
  expect(mail.from).toContain('Winter Coaching')
  expect(mail.text).not.toContain(app.platform.config.platformName)
  expect(new URL(extractLink(mail)).origin).toBe(app.platform.config.origin)
})

test('on their own host a coach signs in with their own name and color', async ({ page, app }) => {
  const coach = await app.createCoach({
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
  expect(await getBrandColor(page)).toBe('#7a2e5d')
  await expect(page.locator('body')).not.toContainText(app.platform.config.platformName)
})

test('below Premium the own host shows "Powered by"', async ({ page, app }) => {
  const coach = await app.createCoach({ plan: 'pro', ownHost: true })
  await page.goto(coach.origin)
  await expect(page.getByText(`Powered by ${app.platform.config.platformName}`)).toBeVisible()
})

test('another coach is rejected on this host like a wrong password', async ({ page, app }) => {
  const [ada, bea] = [await app.createCoach({ ownHost: true }), await app.createCoach({ password })]
  await page.goto(`${ada.origin}/auth`)
  await signInByForm(page, bea.email)
  await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toContainText('Invalid email or password')

  await bea.signIn(page.context(), { origin: ada.origin })
  await page.goto(`${ada.origin}/dashboard`)
  await expect(page).toHaveURL(`${ada.origin}/auth?next=%2Fdashboard`)
})

test('one click leads from the platform to the own host, signed in, with a single-use token', async ({
  page,
  context,
  app,
}) => {
  const coach = await app.createCoach({ ownHost: true })
  await coach.signIn(context)
  await page.goto('/dashboard')
  await page
    .getByRole('button', { name: /^Account:/ })
    .first()
    .click()
  const handedOver = page.waitForRequest(`${coach.origin}/handover`)
  await page.getByRole('button', { name: /^Open ada-/ }).click()
  await expect(page).toHaveURL(`${coach.origin}/dashboard`)

  await page.goBack()
  await expect(page).toHaveURL('/dashboard')

  const form = (await handedOver).postData()!
  await context.clearCookies()
  await page.goto(`${coach.origin}/auth`)
  await page.evaluate((body) => fetch('/handover', { method: 'POST', body: new URLSearchParams(body) }), form)
  await page.goto(`${coach.origin}/dashboard`)
  await expect(page).toHaveURL(`${coach.origin}/auth?next=%2Fdashboard`)
})

test('a renamed subdomain works at once, and the old one is not found', async ({ page, context, app }) => {
  const coach = await app.createCoach({ ownHost: true, businessName: 'Winter Coaching' })
  await coach.signIn(context, { origin: coach.origin })
  await page.goto(`${coach.origin}/branding`)
  const renamed = `${coach.subdomain}-new`
  await page.getByLabel('Web address').fill(renamed)
  await page.getByRole('button', { name: 'Save Branding' }).click()
  await expect(page).toHaveURL(new RegExp(`//${renamed}\\.`))

  const response = await page.goto(coach.origin)
  expect(response?.status()).toBe(421)
  const there = await page.goto(coach.origin.replace(coach.subdomain!, renamed))
  expect(there?.status()).toBe(200)
  await expect(page).toHaveTitle(/Winter Coaching/)
})

test('an unknown host and an unknown path show an error page', async ({ page, app }) => {
  const nobody = await page.goto(app.platform.config.origin.replace('//', '//nobody-is-here.'))
  expect(nobody?.status()).toBe(421)
  const nowhere = await page.goto('/nowhere')
  expect(nowhere?.status()).toBe(404)
  await expect(page.getByText('404 Page Not Found')).toBeVisible()
})

test("the admin area is not on a coach's own host, nor open to other coaches", async ({ page, context, app }) => {
  const [admin, coach] = [await app.createCoach({ isAdmin: true, ownHost: true }), await app.createCoach()]
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

const getBrandColor = (page: Page): Promise<string> =>
  page.locator('html').evaluate((html) => getComputedStyle(html).getPropertyValue('--brand').trim())
