import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { createSession } from '#tests/support/factories.ts'
import { findViolations } from './support/axe.ts'
import { expect, test } from './support/test-app.ts'
import { addVirtualAuthenticator } from './support/virtual-authenticator.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

const password = 'correct horse'
const phone = { width: 390, height: 844 }

async function signInByForm(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

const card = (page: Page, name: string) => page.getByRole('region', { name })

async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize(phone)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
}

/** The code of an authenticator app for a key, `steps` after now: no code works twice. */
const getCode = (key: string, now: Date, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: now.getTime() + steps * 30_000 })

test('the Security page lists the devices and signs out one and all others, with the password', async ({
  page,
  context,
  app,
}) => {
  const coach = await app.createCoach({ password })
  const firefox = { userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0', address: '192.0.2.7' }
  await createSession(coach, firefox)
  await createSession(coach, { ...firefox, userAgent: 'Mozilla/5.0 (iPhone) Safari/604.1' })
  await coach.signIn(context)
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Security page' }).click()
  const devices = card(page, 'Signed-in devices')
  await expect(devices.getByRole('listitem')).toHaveCount(4)
  await expect(devices.getByText('This device')).toHaveCount(1)
  await expect(devices.getByText('Signed in from 192.0.2.7').first()).toBeVisible()

  const confirm = async (secret: string, name: string) => {
    await page.getByRole('dialog').getByLabel('Your password').fill(secret)
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  }
  await devices.getByRole('link', { name: 'Sign out Firefox on Windows' }).click()
  await confirm('wrong', 'Sign Out')
  await expect(page.getByRole('dialog').getByText('This password is wrong.')).toBeVisible()
  await confirm(password, 'Sign Out')
  await expect(page.getByText('Device signed out', { exact: true })).toBeVisible()
  await expect(devices.getByRole('listitem')).toHaveCount(3)
  await devices.getByRole('link', { name: 'Sign Out All Other Devices' }).click()
  await confirm(password, 'Sign Out All')
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  const activity = card(page, 'Recent security activity')
  await expect(activity.getByText('Device signed out: Firefox on Windows')).toBeVisible()
  await expect(activity.getByText('All other devices signed out')).toBeVisible()
  await expectAccessible(page)
})

test('the Security page has pages of devices and of activity, which turn apart', async ({ page, context, app }) => {
  const coach = await app.createCoach({ password })
  for (let index = 0; index < 22; index++) await createSession(coach)
  await coach.signIn(context)
  await page.goto('/security')
  const [devices, activity] = [card(page, 'Signed-in devices'), card(page, 'Recent security activity')]
  await expect(devices.getByText('Showing 1–20 of 24')).toBeVisible()
  await activity.getByRole('link', { name: 'Next' }).click()
  await expect(activity.getByText('Showing 21–24 of 24')).toBeVisible()
  await expect(activity.getByRole('listitem')).toHaveCount(4)
  await devices.getByRole('link', { name: 'Next' }).click()
  await expect(devices.getByText('Showing 21–24 of 24')).toBeVisible()
  await expect(activity.getByText('Showing 21–24 of 24')).toBeVisible()

  await devices.getByRole('link', { name: 'Sign Out All Other Devices' }).click()
  await page.getByRole('dialog').getByLabel('Your password').fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign Out All' }).click()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect(devices.getByText('Showing')).toHaveCount(0)
})

test('signing in by the form ends the session that the browser had', async ({ page, context, app }) => {
  const coach = await app.createCoach({ password })
  await page.goto('/auth')
  const old = await createSession(coach)
  await context.addCookies([{ name: 'session', value: old, url: app.platform.config.origin, httpOnly: true }])
  await signInByForm(page, coach.email)
  await expect(page).toHaveURL('/dashboard')
  const { status } = await fetch(`${app.platform.config.origin}/api/user`, { headers: { cookie: `session=${old}` } })
  expect(status).toBe(401)
})

for (const javaScriptEnabled of [true, false]) {
  test(`two-step sign-in is set up, used and turned off ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    newContext,
    app,
  }) => {
    const coach = await app.createCoach({ password })
    const context = await newContext({ javaScriptEnabled })
    await coach.signIn(context)
    const page = await context.newPage()
    const twoStep = card(page, 'Two-step sign-in')
    await page.goto('/security')
    if (javaScriptEnabled) await waitForHydration(page)

    const dialog = page.getByRole('dialog')
    const startSetup = async (secret: string) => {
      await dialog.getByLabel('Your password').fill(secret)
      await dialog.getByRole('button', { name: 'Continue' }).click()
    }
    await twoStep.getByRole('link', { name: 'Set Up' }).click()
    await startSetup('wrong')
    await expect(dialog.getByText('This password is wrong.')).toBeVisible()
    await startSetup(password)
    await twoStep.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Setup cancelled').first()).toBeVisible()
    await expect(twoStep.getByRole('img', { name: 'QR code' })).toHaveCount(0)
    await twoStep.getByRole('link', { name: 'Set Up' }).click()
    await startSetup(password)
    await expect(twoStep.getByRole('img', { name: 'QR code' })).toBeVisible()
    if (javaScriptEnabled) await expect(twoStep.getByLabel('Code')).toBeFocused()
    const key = (await twoStep.locator('code').textContent())!
    if (javaScriptEnabled) await expectAccessible(page)

    await twoStep.getByLabel('Code').fill(getCode(key, app.now(), 3))
    await twoStep.getByRole('button', { name: 'Turn On' }).click()
    await expect(twoStep.getByText('The clock of your phone is wrong.')).toBeVisible()
    await twoStep.getByLabel('Code').fill(getCode(key, app.now()))
    await twoStep.getByRole('button', { name: 'Turn On' }).click()
    const codes = card(page, 'Your recovery codes').getByRole('listitem')
    await expect(codes).toHaveCount(10)
    const recoveryCode = (await codes.first().textContent())!
    await expect(card(page, 'Your recovery codes').getByRole('link', { name: 'Download' })).toHaveAttribute(
      'href',
      new RegExp(recoveryCode),
    )
    if (javaScriptEnabled) await expectAccessible(page)
    await page.goto('/security')
    await expect(twoStep.getByText('You have 10 recovery codes left.')).toBeVisible()
    await expect(codes).toHaveCount(0)

    await context.clearCookies({ name: 'session' })
    await page.goto('/auth?next=%2Fsecurity')
    await signInByForm(page, coach.email)
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
    if (javaScriptEnabled) await expectAccessible(page)
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('This code is wrong.').first()).toBeVisible()
    await page.getByLabel('Code').fill(recoveryCode)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL('/security')
    await expect(twoStep.getByText('You have 9 recovery codes left.')).toBeVisible()

    await twoStep.getByRole('link', { name: 'Turn Off' }).click()
    await dialog.getByLabel('Your password or a code').fill(getCode(key, app.now(), 1))
    await dialog.getByRole('button', { name: 'Turn Off' }).click()
    await expect(page.getByText('Two-step sign-in is off.').first()).toBeVisible()
    await expect(twoStep.getByRole('link', { name: 'Set Up' })).toBeVisible()
  })
}

test('a passkey is added, signs in without a code, and is removed', async ({ page, context, app }) => {
  const coach = await app.createCoach({ password })
  await addVirtualAuthenticator(context, page)
  await coach.signIn(context)
  await page.goto('/security')
  await waitForHydration(page)
  const passkeys = card(page, 'Passkeys')
  const dialog = page.getByRole('dialog')
  await passkeys.getByRole('link', { name: 'Add Passkey' }).click()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill('Work laptop')
  await dialog.getByRole('button', { name: 'Create Passkey' }).click()
  await expect(page.getByText('Passkey added').first()).toBeVisible()
  await expect(passkeys.getByText('Work laptop')).toBeVisible()

  await context.clearCookies({ name: 'session' })
  await page.goto('/auth?next=%2Fsecurity')
  await page.getByRole('button', { name: 'Use a Passkey' }).click()
  await expect(page).toHaveURL('/security')
  await expect(passkeys.getByText('Last used')).toBeVisible()

  await passkeys.getByRole('link', { name: 'Remove Work laptop' }).click()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Remove Passkey' }).click()
  await expect(page.getByText('Passkey removed.').first()).toBeVisible()
  await expect(passkeys.getByText('Work laptop')).toHaveCount(0)
  await expectAccessible(page)

  await context.clearCookies({ name: 'session' })
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Use a Passkey' }).click()
  await expect(page.getByText('This passkey is not known here.').first()).toBeVisible()
})
