import { updateProfile } from '#tenants/accounts/accounts.ts'
import { extractLink, findMail } from './support/mails.ts'
import { expect, inTenant, test } from './support/test-app.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

const password = 'correct horse'
let registrations = 0
const newEmail = () => `account-${process.pid}-${++registrations}@example.com`

test('a new password shows its strength, and a common one or the own name is rejected', async ({ page }) => {
  await page.goto('/auth?tab=register')
  await waitForHydration(page)
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Lind')
  await page.getByLabel('Email').fill(newEmail())
  const field = page.getByLabel('Password', { exact: true })
  await expect(page.getByText('At least 6 characters')).toBeVisible()
  for (const [text, strength] of [
    ['abc', 'Too short'],
    ['letmein', 'Weak'],
    ['Password1', 'Weak'],
    ['river 42 stone', 'Good'],
    ['correct horse battery', 'Strong'],
  ] as const) {
    await field.fill(text)
    await expect(page.getByText(strength)).toBeVisible()
  }
  for (const [text, message] of [
    ['LetMeIn', 'Too many people use this password. Choose another one.'],
    ['noralind1', "Don't use your name or email address as the password."],
  ] as const) {
    await field.fill(text)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByText(message).first()).toBeVisible()
  }
  await field.fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/dashboard')
})

for (const javaScriptEnabled of [true, false]) {
  test(`a new coach confirms the address by the emailed link, once; ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    newContext,
    app,
  }) => {
    const page = await (await newContext({ javaScriptEnabled })).newPage()
    const email = newEmail()
    await page.goto('/auth?tab=register')
    await page.getByLabel('First name').fill('Nora')
    await page.getByLabel('Last name').fill('Lind')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page).toHaveURL('/dashboard')
    const notice = page.getByRole('region', { name: 'Confirm your email' })
    await expect(notice).toContainText(email)
    const first = extractLink(await findMail(app, email, 'Confirm your email address'))
    await notice.getByRole('button', { name: 'Resend Link' }).click()
    await expect(page.getByText('A new link is on its way.')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')

    await page.goto(first)
    await page.getByRole('button', { name: 'Confirm Email' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByText('Email address confirmed')).toBeVisible()
    await expect(notice).toHaveCount(0)

    await page.goto(first)
    await expect(page.getByText('Your email address is already confirmed.')).toBeVisible()
  })
}

test('a used link shows what happened and offers another', async ({ page, app, newContext }) => {
  const coach = await app.createCoach({ emailVerified: false })
  await coach.signIn(page.context())
  await page.goto('/auth/verify?token=used')
  await expect(page.getByText('It has expired or was already used.')).toBeVisible()
  await page.getByRole('button', { name: 'Resend Link' }).click()
  await expect(page.getByText('A new link is on its way.')).toBeVisible()

  const link = extractLink(await findMail(app, coach.email, 'Confirm your email address'))
  const visitor = await (await newContext()).newPage()
  await visitor.goto(link)
  const other = await (await newContext()).newPage()
  await other.goto(link)
  await visitor.getByRole('button', { name: 'Confirm Email' }).click()
  await expect(visitor).toHaveURL('/auth')
  await expect(visitor.getByText('Email address confirmed')).toBeVisible()
  await other.getByRole('button', { name: 'Confirm Email' }).click()
  await expect(other.getByText('It has expired or was already used.')).toBeVisible()
})

const star = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M4 0l4 8H0z"/></svg>')

test('a coach changes name and photo', async ({ page, app }) => {
  const coach = await app.createCoach()
  await coach.signIn(page.context())
  await page.goto('/settings')
  await waitForHydration(page)
  await page.getByRole('link', { name: 'Account page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
  await page.getByLabel('First name').fill('Augusta')
  await page.getByLabel('Last name').fill('')
  await page.getByRole('button', { name: 'Save Name' }).click()
  await expect(page.getByText('Last name is required')).toBeVisible()
  await page.getByLabel('Last name').fill('King')
  await page.getByRole('button', { name: 'Save Name' }).click()
  await expect(page.getByText('Name saved.')).toBeVisible()
  const sidebar = page.getByRole('complementary').first()
  await expect(sidebar.getByText('Augusta King').first()).toBeVisible()

  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles({ name: 'me.svg', mimeType: 'image/svg+xml', buffer: star })
  await expect(page.getByText('Photo saved')).toBeVisible()
  await expect(sidebar.locator('img.avatar')).toBeVisible()
  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') })
  await expect(page.getByText('Invalid File Type')).toBeVisible()
  await page.getByRole('button', { name: 'Remove photo' }).click()
  await expect(page.getByText('Photo removed')).toBeVisible()
  await expect(sidebar.locator('img.avatar')).toHaveCount(0)
})

for (const javaScriptEnabled of [true, false]) {
  test(`an email address changes once both have confirmed; ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    newContext,
    app,
  }) => {
    const coach = await app.createCoach({ password })
    const context = await newContext({ javaScriptEnabled })
    await coach.signIn(context)
    const page = await context.newPage()
    const email = newEmail()
    await page.goto('/settings/account')
    if (javaScriptEnabled) await waitForHydration(page)
    const card = page.getByRole('region', { name: 'Email', exact: true })
    const requestChange = async (secret: string) => {
      await card.getByLabel('New email').fill(email)
      await card.getByLabel('Current password').fill(secret)
      await card.getByRole('button', { name: 'Change Email' }).click()
    }
    await requestChange('wrong password')
    await expect(card.getByText('This password is wrong.')).toBeVisible()
    await expect(card.getByLabel('New email')).toHaveValue(email)
    await requestChange(password)
    await expect(page.getByText('Check your inbox')).toBeVisible()
    await expect(card.getByText(`To change it to ${email}`)).toBeVisible()
    await expect(card.getByLabel('New email')).toHaveValue('')
    await expect(card.getByLabel('Current password')).toHaveValue('')

    await page.goto(extractLink(await findMail(app, coach.email, 'Is your email address changing?')))
    await page.getByRole('button', { name: 'Confirm Change' }).click()
    await expect(page).toHaveURL('/settings/account')
    await expect(page.getByText('Now open the link that we sent to the other address.')).toBeVisible()
    const link = extractLink(await findMail(app, email, 'Confirm your new email address'))
    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm Change' }).click()
    await expect(page.getByText('Email address changed')).toBeVisible()
    await expect(card.getByText(email)).toBeVisible()
    await findMail(app, coach.email, 'Your email address was changed')
    await page.goto(link)
    await expect(page.getByText('It has expired, was already used, or was cancelled.')).toBeVisible()
  })
}

test('an email change is cancelled by the coach, or from the old address', async ({ page, app, newContext }) => {
  const coach = await app.createCoach({ password })
  await coach.signIn(page.context())
  await page.goto('/settings/account')
  await waitForHydration(page)
  const card = page.getByRole('region', { name: 'Email', exact: true })
  const requestChange = async (email: string) => {
    await card.getByLabel('New email').fill(email)
    await card.getByLabel('Current password').fill(password)
    await card.getByRole('button', { name: 'Change Email' }).click()
    await expect(card.getByText(`To change it to ${email}`)).toBeVisible()
  }
  await requestChange(newEmail())
  await card.getByRole('button', { name: 'Cancel Change' }).click()
  await expect(page.getByText('The change was cancelled')).toBeVisible()
  await expect(card.getByText('To change it to')).toHaveCount(0)

  const email = newEmail()
  await requestChange(email)
  await findMail(app, email, 'Confirm your new email address')
  const owner = await (await newContext()).newPage()
  await expect(async () => {
    await owner.goto(extractLink(await findMail(app, coach.email, 'Is your email address changing?')))
    await expect(owner.getByText(email)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await owner.getByRole('button', { name: 'Cancel Change' }).click()
  await expect(owner).toHaveURL('/auth')
  await expect(owner.getByText('The change was cancelled')).toBeVisible()
  await page.reload()
  await expect(card.getByText('To change it to')).toHaveCount(0)
})

for (const javaScriptEnabled of [true, false]) {
  test(`a new password signs out all other devices; ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    newContext,
    app,
  }) => {
    const coach = await app.createCoach({ password })
    const [here, elsewhere] = [await newContext({ javaScriptEnabled }), await newContext()]
    await coach.signIn(here)
    await coach.signIn(elsewhere)
    const page = await here.newPage()
    await page.goto('/settings/account')
    if (javaScriptEnabled) await waitForHydration(page)
    const card = page.getByRole('region', { name: 'Password' })
    const change = async (current: string, next: string) => {
      await card.getByLabel('Current password').fill(current)
      await card.getByLabel('New password').fill(next)
      await card.getByRole('button', { name: 'Change Password' }).click()
    }
    const before = (await here.cookies()).find(({ name }) => name === 'session')!.value
    await change('wrong password', 'battery staple')
    await expect(card.getByText('This password is wrong.')).toBeVisible()
    await change(password, 'letmein')
    await expect(card.getByText('Too many people use this password. Choose another one.')).toBeVisible()
    await change(password, 'battery staple')
    await expect(page.getByText('You are signed out on all other devices.')).toBeVisible()
    await expect(card.getByLabel('New password')).toHaveValue('')
    await expect(card.getByText('Good')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
    expect((await here.cookies()).find(({ name }) => name === 'session')!.value).not.toBe(before)
    const other = await elsewhere.newPage()
    await other.goto('/settings')
    await expect(other).toHaveURL('/auth?next=%2Fsettings')
  })
}

test('an account is closed, shows only that until it is reopened, and is then as it was', async ({ page, app }) => {
  const coach = await app.createCoach({ password, clients: [{ name: 'Ada Lovelace' }] })
  await coach.signIn(page.context())
  await page.goto('/settings/account')
  await waitForHydration(page)
  const card = page.getByRole('region', { name: 'Close account' })
  await expect(card.getByRole('link', { name: 'Make an export' })).toHaveAttribute('href', '/settings/export')
  await card.getByRole('link', { name: 'Close Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Close your account?' })
  const confirm = async (secret: string) => {
    await dialog.getByLabel('Your password', { exact: true }).fill(secret)
    await dialog.getByRole('button', { name: 'Close Account' }).click()
  }
  await confirm('wrong password')
  await expect(dialog.getByText('This password is wrong.')).toBeVisible()
  await confirm(password)
  await expect(page).toHaveURL('/closed')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Your account closes on April \d+, 2026$/)
  await findMail(app, coach.email, 'Your account was closed')
  await page.goto('/clients')
  await expect(page).toHaveURL('/closed')

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/auth')
  await page.getByLabel('Email').fill(coach.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/closed')
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Export Everything' }).click()
  await expect(page.getByRole('link', { name: /^Download/ })).toHaveAttribute('href', '/settings/export/download')
  await page.getByRole('button', { name: 'Reopen Account' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/clients')
  await expect(page.getByText('Ada Lovelace').first()).toBeVisible()
})

test('without JavaScript a photo is uploaded by a button', async ({ newContext, app }) => {
  const coach = await app.createCoach()
  const context = await newContext({ javaScriptEnabled: false })
  await coach.signIn(context)
  const page = await context.newPage()
  await page.goto('/settings/account')
  await page
    .getByLabel('Photo', { exact: true })
    .setInputFiles({ name: 'me.svg', mimeType: 'image/svg+xml', buffer: star })
  await page.getByRole('button', { name: 'Upload' }).click()
  await expect(page.getByText('Photo saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove photo' })).toBeVisible()
})

test('two tabs that change the profile lose nothing of each other', async ({ page, context, app }) => {
  const coach = await app.createCoach()
  await inTenant(coach, (ctx) => updateProfile(ctx, { businessName: 'Winter Coaching' }))
  await coach.signIn(context)
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto('/settings')
    await waitForHydration(tab)
  }
  await other.getByLabel('Bio').fill('I coach people who lead.')
  await other.getByRole('button', { name: 'Save Profile' }).click()
  await expect(other.getByText('Profile saved.')).toBeVisible()
  await page.getByLabel('Phone').fill('+1 555 0100')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByText('This profile was changed in another tab.')).toBeVisible()
  await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0100')
  await expect(page.getByLabel('Bio')).toHaveValue('I coach people who lead.')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Phone')).toHaveValue('+1 555 0100')
  await expect(page.getByLabel('Bio')).toHaveValue('I coach people who lead.')
})
