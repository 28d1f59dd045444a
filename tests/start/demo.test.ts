import { request } from 'node:http'
import { expect, test } from 'vitest'
import {
  cleanEnvironment,
  createTempFolder,
  freePort,
  getDemoSignIn,
  launch,
  serve,
  waitUntilReady,
  type RunningProcess,
} from './support/process.ts'

const isPublic = { HOST: '0.0.0.0' }
const isNamed = { APP_ORIGIN: 'http://coach.test' }

test('there is no demo practice at a public origin', async () => {
  await expectNoDemo(createTempFolder(), isNamed)
})

test('the demo practice opens only on this machine or with --demo, and its passwords are printed once', async () => {
  const dir = createTempFolder()
  await expectNoDemo(dir, isPublic)
  const first = await start({ DATA_DIR: dir, ...isPublic }, '--demo')
  const { email, password } = getDemoSignIn(dir)!
  expect([first.includes(email), first.includes(password)]).toEqual([true, true])
  const again = await start({ DATA_DIR: dir })
  expect([again.includes(email), again.includes(password)]).toEqual([true, false])
  expect(again).toContain('npm run demo:passwords')
  const [code, printed] = await printPasswords(dir)
  expect([code, printed.includes(`${email}   ${password}`), printed.split('\n').length]).toEqual([0, true, 3])

  expect(await start({ DATA_DIR: dir, ...isPublic })).not.toContain('@example.com')
  expect(await printPasswords(dir)).toEqual([1, 'This installation has no demo practice.'])
})

async function expectNoDemo(dir: string, env: Record<string, string>): Promise<void> {
  expect(await start({ DATA_DIR: dir, ...env })).not.toContain('@example.com')
  expect(getDemoSignIn(dir)).toBeNull()
  expect(await printPasswords(dir)).toEqual([1, 'This installation has no demo practice.'])
}

test('a database started with --empty never gets the demo data', async () => {
  const dir = createTempFolder()
  for (const args of [['--empty'], []]) {
    const running = await serve({ DATA_DIR: dir }, ...args)
    await waitUntilReady(running)
    expect(getDemoSignIn(dir)).toBeNull()
    expect(running.output()).not.toContain('demo@example.com')
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
  }
})

test('while the product runs, a link signs its demo client in to the portal, once; without a demo there is none', async () => {
  const dir = createTempFolder()
  const running = await serve({ DATA_DIR: dir })
  await waitUntilReady(running)
  await expect.poll(running.output).toContain(`http://stillwater.localhost:${running.port}/portal`)
  const print = async () => {
    const [code, printed] = await printPasswords(dir, running.port)
    const link = new RegExp(`http://stillwater\\.localhost:${running.port}(/portal/sign-in/[\\w-]+)$`).exec(printed)
    expect([code, link !== null], printed).toEqual([0, true])
    return link![1]!
  }
  const [first, second] = [await print(), await print()]
  expect(first).not.toBe(second)
  // Looking at the page uses nothing up.
  expect(await visit(running.port, first)).toMatchObject({ status: 200, cookie: null })
  const signedIn = await visit(running.port, first, { method: 'POST' })
  expect(signedIn.cookie).toMatch(/^portal=/)
  const home = await visit(running.port, '/portal', { cookie: signedIn.cookie! })
  expect([home.status, home.text.includes('Sign Out')]).toEqual([200, true])
  for (const part of ['Messages', 'Tasks', 'Files', 'Program', 'Next session', 'To pay', 'First session'])
    expect(home.text).toContain(part)
  expect((await visit(running.port, first, { method: 'POST' })).cookie).toBeNull()
  expect((await visit(running.port, second, { method: 'POST' })).cookie).toMatch(/^portal=/)
  // Elsewhere than on this machine alone there are the passwords only.
  for (const env of [isPublic, isNamed])
    expect((await printPasswords(dir, running.port, env))[1]).not.toContain('sign-in/')

  running.child.kill('SIGTERM')
  await running.exit
  expect((await printPasswords(dir, running.port))[1].split('\n')).toHaveLength(3)
})

type Visit = { status: number; cookie: string | null; text: string }

/** Opens a page of the demo practice's host, without following redirects. */
function visit(port: number, path: string, { method = 'GET', cookie = '' } = {}): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: `stillwater.localhost:${port}`,
      cookie,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const options = { host: '127.0.0.1', port, path, method, headers }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        const cookies = response.headers['set-cookie']?.map((value) => value.split(';')[0]!) ?? []
        resolve({
          status: response.statusCode!,
          text,
          cookie: cookies.find((value) => value.startsWith('portal=')) ?? null,
        })
      })
    })
    sent.on('error', reject)
    sent.end(method === 'POST' ? 'intent=signIn' : undefined)
  })
}

/** Starts the product, stops it when it is ready, and returns what it printed. */
async function start(env: Record<string, string>, ...args: string[]): Promise<string> {
  const running: RunningProcess = await serve({ PORT: String(await freePort()), ...env }, ...args)
  await waitUntilReady(running)
  await expect.poll(running.output).toContain('Ctrl+C stops it')
  running.child.kill('SIGTERM')
  expect(await running.exit, running.output()).toBe(0)
  return running.output()
}

/** [exit code, output] of `npm run demo:passwords`. `port`: where the product runs. */
async function printPasswords(
  dir: string,
  port?: number,
  settings: Record<string, string> = {},
): Promise<[number | null, string]> {
  // Not the port of a product that runs beside the tests.
  const env = { ...cleanEnvironment(), DATA_DIR: dir, PORT: String(port ?? (await freePort())), ...settings }
  const running = launch(process.execPath, ['scripts/demo-passwords.ts'], { env })
  return [await running.exit, running.output().trim()]
}
