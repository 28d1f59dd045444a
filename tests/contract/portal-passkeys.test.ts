import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eraseRecord } from '#modules/core/trash.ts'
import { deleteClient, restoreClient } from '#modules/crm/services/clients.ts'
import { mergeClients } from '#modules/crm/services/merge.ts'
import {
  addPasskey,
  listOwnPasskeys,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from '#modules/portal/services/passkeys.ts'
import { createSession, findSessionClient } from '#modules/portal/services/sign-in.ts'
import { extensions } from '#modules/registry.ts'
import { clientContext, visitorContext, type Ctx } from '#tenants/context.ts'
import { runForCoach } from '#tests/support/as-db-owner.ts'
import { contextFor, createClient, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from '#tests/support/software-authenticator.ts'
import { createTestApp } from '#tests/support/test-app.ts'

// The passkeys of clients who are merged, deleted and erased.

const app = createTestApp({ APP_ORIGIN: 'https://attune.example' })
const site = { origin: 'https://mara.attune.example', rpId: 'mara.attune.example' }
const device = { userAgent: null, address: '203.0.113.7' }
let coach: Coach

beforeAll(async () => {
  coach = await createCoach({ subdomain: 'mara' })
})
// A challenge must be newer than the last one that a passkey has signed.
beforeEach(passTime)
function passTime() {
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
}

const visit = async (): Promise<Ctx> =>
  visitorContext(app.platform, (await contextFor(coach)).account, { requestId: 'test', address: device.address }, [])

async function addKey({ id: clientId, email }: { id: number; email: string }): Promise<SoftwareAuthenticator> {
  const key = createSoftwareAuthenticator()
  const ctx = await signedIn(clientId, email)
  const { challenge } = await startPasskey(ctx)
  await ctx.write((tx) => addPasskey(tx, { name: 'Phone', response: key.create({ challenge, ...site }) }, device))
  return key
}

async function signedIn(clientId: number, email: string): Promise<Ctx> {
  const visitor = await visit()
  const token = await visitor.write((tx) =>
    createSession(tx, { clientId, email: email.toLowerCase() }, { host: 'mara.localhost', device }),
  )
  const client = (await findSessionClient(visitor, token, null))!
  return clientContext(app.platform, visitor.account, { requestId: 'test' }, client)
}

/** The client whom the passkey signs in; null if it is refused. */
async function use(key: SoftwareAuthenticator): Promise<number | null> {
  passTime()
  const visitor = await visit()
  const { challenge } = await startPasskeySignIn(visitor)
  const token = await signInWithPasskey(visitor, key.get({ challenge, ...site }), device).catch(() => null)
  return token === null ? null : ((await findSessionClient(visitor, token, null))?.id ?? null)
}

const merge = (kept: { id: number }, merged: { id: number }) =>
  inTenant(coach, (ctx) => mergeClients(ctx, { keptId: kept.id, mergedId: merged.id }))
const restore = ({ id }: { id: number }) => inTenant(coach, (ctx) => restoreClient(ctx, id))

test('the passkey of a client who was added twice signs in to the one who is kept, and back after the undo', async () => {
  const email = 'twice@example.com'
  const [kept, merged] = [await createClient({ coach, email }), await createClient({ coach, email })]
  const key = await addKey(merged)
  await merge(kept, merged)
  expect(await use(key)).toBe(kept.id)
  expect(await listOwnPasskeys(await signedIn(kept.id, email))).toMatchObject([{ name: 'Phone' }])
  await restore(merged)
  expect(await use(key)).toBe(merged.id)
})

test('the passkey of a merged client with another address signs in to nobody until the undo', async () => {
  const kept = await createClient({ coach, email: 'kept@example.com' })
  const merged = await createClient({ coach, email: 'merged@example.com' })
  const [own, key] = [await addKey(kept), await addKey(merged)]
  await merge(kept, merged)
  expect(await use(key)).toBeNull()
  expect(await use(own)).toBe(kept.id)
  expect(await listOwnPasskeys(await signedIn(kept.id, kept.email))).toHaveLength(1)
  await restore(merged)
  expect(await use(key)).toBe(merged.id)
})

test('a client in the trash is not signed in, and erasing deletes the passkeys', async () => {
  const client = await createClient({ coach })
  const key = await addKey(client)
  await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
  expect(await use(key)).toBeNull()
  await restore(client)
  expect(await use(key)).toBe(client.id)
  await inTenant(coach, (ctx) => deleteClient(ctx, client.id))
  const kind = extensions.recordKinds.find(({ kind }) => kind === 'client')!
  await inTenant(coach, (ctx) => eraseRecord(ctx, kind, client.id))
  expect(await use(key)).toBeNull()
  const { rows } = await runForCoach(
    coach.ownerUrl,
    coach.id,
    `select id from portal_passkey where coach_id = ${coach.id} and client_id = ${client.id}`,
  )
  expect(rows).toEqual([])
})
