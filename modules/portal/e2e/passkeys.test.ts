import type { Page } from '@playwright/test'
import { createPortalSession } from '#tests/support/portal-session.ts'
import { expect, getClients, inTenant, test } from '#tests/e2e/support/test-app.ts'
import { addVirtualAuthenticator } from '#tests/e2e/support/virtual-authenticator.ts'
import { insertPasskey } from './factories.ts'

const signIn = (page: Page) => page.getByRole('button', { name: 'Sign In with a Passkey' })

test('a client adds a passkey on the coach’s host, signs out, signs in with it, and removes it', async ({
  page,
  app,
  newContext,
  passTime,
}) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  const context = await newContext({ baseURL: coach.origin })
  const portal = await context.newPage()
  const cdp = await addVirtualAuthenticator(context, portal)
  await context.addCookies([{ name: 'portal', value: await createPortalSession(coach, grace!.id), url: coach.origin }])

  await portal.goto('/portal')
  await portal.getByRole('navigation').getByRole('link', { name: 'Account' }).click()
  await expect(portal.getByText('You have no passkeys yet.')).toBeVisible()
  // The server refuses a missing name before the browser asks for the passkey.
  await portal.getByLabel('Name').fill('')
  await portal.getByRole('button', { name: 'Add a Passkey' }).click()
  await expect(portal.getByText('Name this passkey')).toBeVisible()
  await portal.getByLabel('Name').fill('Work laptop')
  await portal.getByRole('button', { name: 'Add a Passkey' }).click()
  const list = portal.getByRole('list', { name: 'Your passkeys' })
  await expect(list).toContainText('Work laptop')
  await expect(list).toContainText('Not used yet.')
  await portal.getByRole('button', { name: 'Add a Passkey' }).click()
  await expect(portal.getByText('This device already has a passkey for you.')).toBeVisible()

  // The coach sees that there is one.
  await coach.signIn(page.context())
  await page.goto(`/clients/${grace!.id}/portal`)
  await expect(page.getByText('Grace Hopper can sign in with a passkey.')).toBeVisible()

  await portal.getByRole('button', { name: 'Sign Out' }).click()
  await portal.goto('/portal/account')
  await expect(portal).toHaveURL(/\/portal\/sign-in\?next=/)
  await signIn(portal).click()
  await expect(portal).toHaveURL('/portal/account')
  await expect(list).toContainText('Last used: Today.')

  // An hour later a passkey is added only after signing in again, which the one that there is does.
  await passTime(context, 61 * 60_000)
  await portal.reload()
  await expect(portal.getByRole('button', { name: 'Add a Passkey' })).toHaveCount(0)
  await portal.getByRole('button', { name: 'Sign In Again' }).click()
  await signIn(portal).click()
  await expect(portal).toHaveURL('/portal/account')
  await expect(portal.getByRole('button', { name: 'Add a Passkey' })).toBeVisible()

  await portal.getByRole('button', { name: 'Remove Work laptop' }).click()
  await expect(portal.getByText('You have no passkeys yet.')).toBeVisible()
  await portal.getByRole('button', { name: 'Sign Out' }).click()
  await signIn(portal).click()
  await expect(portal.getByText('This passkey is not known here. Sign in with a link instead.')).toBeVisible()
  await expect(portal).toHaveURL('/portal/sign-in')

  // The browser has none any more, and says so on the page.
  await cdp.send('WebAuthn.disable')
  await addVirtualAuthenticator(context, portal)
  await signIn(portal).click()
  await expect(portal.getByText('The passkey was not confirmed. Try again or use a link.')).toBeVisible()
})

test('without scripts passkeys are listed and removed, and clients sign in with the link', async ({
  app,
  newContext,
}) => {
  const coach = await app.createCoach({ ownHost: true, clients: [{ name: 'Grace Hopper' }] })
  const [grace] = await getClients(coach)
  const context = await newContext({ baseURL: coach.origin, javaScriptEnabled: false })
  const portal = await context.newPage()
  await portal.goto('/portal/sign-in')
  await expect(portal.getByRole('button', { name: 'Send the Link' })).toBeVisible()
  await expect(signIn(portal)).toBeHidden()
  await context.addCookies([{ name: 'portal', value: await createPortalSession(coach, grace!.id), url: coach.origin }])
  await inTenant(coach, (ctx) => insertPasskey(ctx, grace!.id))
  await portal.goto('/portal/account')
  await expect(portal.getByText('Adding a passkey needs JavaScript')).toBeVisible()
  await expect(portal.getByRole('button', { name: 'Add a Passkey' })).toBeHidden()
  await portal.getByRole('button', { name: 'Remove Phone' }).click()
  await expect(portal.getByText('Passkey removed')).toBeVisible()
  await expect(portal.getByText('You have no passkeys yet.')).toBeVisible()
})
