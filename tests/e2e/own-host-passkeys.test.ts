import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import path from 'node:path'
import { createServer, type Server } from 'node:tls'
import type { Page } from '@playwright/test'
import { freePort } from '#tests/start/support/process.ts'
import { certificateFile } from '#tests/support/tls-proxy.ts'
import { expect, test } from './support/test-app.ts'
import { addVirtualAuthenticator } from './support/virtual-authenticator.ts'
import { waitForHydration } from './support/wait-for-idle.ts'

// Browsers have no passkeys for `localhost` on its subdomains, so this test serves the product at a domain of its own,
// with TLS, which passkeys need.

const domain = 'attune.example'
const password = 'correct horse battery'
let server: ChildProcess
let proxy: Server
let port: number

test.beforeAll(async () => {
  const serverPort = await freePort()
  const pem = readFileSync(certificateFile)
  proxy = createServer({ key: pem, cert: pem }, (client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
      socket.on('close', () => [client, upstream].forEach((one) => one.destroy()))
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  port = (proxy.address() as AddressInfo).port
  server = spawn(process.execPath, [path.resolve(import.meta.dirname, '../support/e2e-server.ts')], {
    env: { ...process.env, E2E_PORT: String(serverPort), E2E_ORIGIN: getOrigin(), NODE_ENV: 'production' },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const isReady = () =>
    fetch(`http://127.0.0.1:${serverPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true)
})
test.afterAll(async () => {
  proxy.close()
  server.kill('SIGTERM')
  await once(server, 'exit')
})

const getOrigin = (subdomain = ''): string => `https://${subdomain}${domain}:${port}`

/** Registers a coach with a host of their own, and signs the browser in. */
async function register(page: Page, name: string): Promise<void> {
  await page.goto(`${getOrigin()}/auth`)
  const statuses = await page.evaluate(
    async ([subdomain, secret]) => {
      const send = async (method: string, url: string, body: object) =>
        (await fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }))
          .status
      const account = { email: `${subdomain}@example.com`, password: secret, firstName: subdomain, lastName: 'Winter' }
      return [await send('POST', '/api/register', account), await send('PUT', '/api/branding', { subdomain })]
    },
    [name, password] as const,
  )
  expect(statuses).toEqual([201, 200])
}

test("a passkey signs in on its owner's host, and is refused on the host of another coach", async ({ playwright }) => {
  const { launchOptions } = test.info().project.use
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), `--host-resolver-rules=MAP ${domain} 127.0.0.1, MAP *.${domain} 127.0.0.1`],
  })
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const page = await context.newPage()
  await addVirtualAuthenticator(context, page)
  await register(page, 'bea-key')
  await context.clearCookies()
  await register(page, 'ada-key')
  await page.goto(`${getOrigin()}/security`)
  await waitForHydration(page)
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  const dialog = page.getByRole('dialog')
  await passkeys.getByRole('link', { name: 'Add Passkey' }).click()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByLabel('Name').fill('Work laptop')
  await dialog.getByRole('button', { name: 'Create Passkey' }).click()
  await expect(passkeys.getByText('Work laptop')).toBeVisible()
  await context.clearCookies()

  await page.goto(`${getOrigin('bea-key.')}/auth`)
  await page.getByRole('button', { name: 'Use a Passkey' }).click()
  await expect(page.getByText('This passkey belongs to another account. Sign in at').first()).toBeVisible()
  await page.goto(`${getOrigin('bea-key.')}/dashboard`)
  await expect(page).toHaveURL(/\/auth/)

  await page.goto(`${getOrigin('ada-key.')}/auth`)
  await page.getByRole('button', { name: 'Use a Passkey' }).click()
  await expect(page).toHaveURL(`${getOrigin('ada-key.')}/dashboard`)
  await browser.close()
})
