import { afterAll, beforeAll, expect, test } from 'vitest'
import { NewProduct, NewPurchase } from '#modules/billing/forms.ts'
import { createProduct } from '#modules/billing/services/products.ts'
import { createPurchase } from '#modules/billing/services/purchases.ts'
import { NewAppointment } from '#modules/scheduling/forms.ts'
import { completeSession, createAppointment } from '#modules/scheduling/index.ts'
import { giveConsent } from '#modules/summaries/services/consents.ts'
import { addTranscript } from '#modules/summaries/services/transcripts.ts'
import { NewClient, NewInteraction } from '#modules/crm/forms.ts'
import { createClient } from '#modules/crm/services/clients.ts'
import { createInteraction } from '#modules/crm/services/interactions.ts'
import { NewProspect, NewStage } from '#modules/pipeline/forms.ts'
import { createProspect } from '#modules/pipeline/services/prospects.ts'
import { createStage } from '#modules/pipeline/services/stages.ts'
import { serveBuild, type BuiltApp } from '#tests/support/built-app.ts'
import { createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { readSetToast } from '#tests/support/toast-cookie.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'

// The failure messages of part-1 §8 and part-2 §8 on pages whose transaction fails in the database.

const app = createTestApp()
let built: BuiltApp
let coach: Coach
let ids: {
  client: number
  product: number
  purchase: number
  interaction: number
  prospect: number
  stage: number
  empty: { id: number; color: string; order: number }
}

beforeAll(async () => {
  app.clock.now = new Date()
  built = await serveBuild(app.appUrl)
  coach = await createCoach()
  ids = await inTenant(coach, async (ctx) => {
    const client = await createClient(ctx, NewClient.parse({ name: 'Grace Hopper', email: 'grace@example.com' }))
    const product = await createProduct(ctx, NewProduct.parse({ name: 'Career Reset', price: '960.00' }))
    const purchase = await createPurchase(
      ctx,
      NewPurchase.parse({
        clientId: client.id,
        productId: product.id,
        amount: '960.00',
        status: 'completed',
        paymentMethod: 'cash',
      }),
    )
    const interaction = await createInteraction(
      ctx,
      client.id,
      NewInteraction.parse({ name: 'A call', interactionDate: '2026-03-01T12:00:00Z' }),
    )
    const prospect = await createProspect(
      ctx,
      NewProspect.parse({ name: 'Leila Haddad', email: 'leila@example.com', stageId: 'lead' }),
    )
    const empty = await createStage(ctx, NewStage.parse({ name: 'Empty' }))
    return {
      client: client.id,
      product: product.id,
      purchase: purchase.id,
      interaction: interaction.id,
      prospect: prospect.id,
      stage: Number(prospect.stageId),
      empty: { id: Number(empty.id), color: empty.color, order: empty.order },
    }
  })
}, 120_000)
afterAll(() => built?.close())

/** Makes writes to `table` fail while `work` runs. */
async function withFailingTable<T>(table: string, work: () => Promise<T>): Promise<T> {
  await asOwner(app.ownerUrl, (db) =>
    db.query(
      `create or replace function fails() returns trigger language plpgsql as $$ begin raise exception 'a failure of ours'; end $$; create trigger fails before insert or update or delete on "${table}" for each row execute function fails()`,
    ),
  )
  try {
    return await work()
  } finally {
    await asOwner(app.ownerUrl, (db) => db.query(`drop trigger fails on "${table}"`))
  }
}

async function getToast(to: string, form: Record<string, string>): Promise<string> {
  const page = await built.request(to, { cookie: coach.cookie, form })
  const toast = readSetToast(page.headers['set-cookie'] ?? [])
  if (toast) return `${toast.title}: ${toast.text ?? ''}`
  const sent = decodeToast(page.text)
  return sent ? `${sent.title}: ${sent.text}` : `${page.status} ${page.text}`
}

/** Reads the toast from an action's response in the turbo-stream format. */
function decodeToast(text: string): { title: unknown; text: unknown } | undefined {
  const flat: unknown[] = JSON.parse(text.split('\n')[0]!)
  const keyed = (at: unknown): Map<unknown, unknown> =>
    new Map(Object.entries(flat[Number(at)] ?? {}).map(([key, value]) => [flat[Number(key.slice(1))], value]))
  const toast = keyed(keyed(0).get('data')).get('toast')
  return toast === undefined
    ? undefined
    : { title: flat[Number(keyed(toast).get('title'))], text: flat[Number(keyed(toast).get('text'))] }
}

test('a failed transaction shows its failure message', async () => {
  const { client, product, purchase, interaction, prospect, stage, empty } = ids
  const here = `/clients/${client}`
  const bought = {
    productId: String(product),
    amount: '12.50',
    status: 'completed',
    paymentMethod: 'cash',
    notes: 'By hand',
    date: '2026-03-01',
    version: '1',
  }
  const person = { name: 'Ada Lovelace', email: 'ada@example.com', version: '1', progress: '5', status: 'active' }
  const lead = { name: 'Sam Ito', stageId: String(stage), openedIn: String(stage), version: '1', company: 'Ito' }
  const of = (id: number, intent: string) => ({ id: String(id), intent })
  const catalogue: [table: string, to: string, form: Record<string, string>, words: string][] = [
    ['client', '/clients.data', { ...person, intent: 'add' }, 'Failed to add client. Please try again.'],
    ['client', `${here}.data`, { ...person, ...of(client, 'edit') }, 'Failed to update client. Please try again.'],
    ['client', `${here}.data`, { ...person, ...of(client, 'save') }, 'Failed to save client changes.'],
    ['client', '/clients.data', of(client, 'delete'), 'Failed to delete client. Please try again.'],
    ['purchase', `${here}/purchases.data`, { ...bought, intent: 'record' }, 'Failed to create purchase'],
    [
      'purchase',
      '/purchases.data',
      { ...bought, clientId: String(client), intent: 'record' },
      'Failed to create purchase',
    ],
    ['purchase', '/purchases.data', { ...bought, ...of(purchase, 'edit') }, 'Failed to update purchase.'],
    ['purchase', '/purchases.data', of(purchase, 'delete'), 'Failed to delete purchase.'],
    [
      'client_interaction',
      `${here}.data`,
      { intent: 'add-interaction', name: 'A letter', interactionDate: '2026-03-02' },
      'Failed to add interaction.',
    ],
    [
      'client_interaction',
      `${here}.data?interaction=${interaction}`,
      { ...of(interaction, 'edit-interaction'), name: 'A letter', interactionDate: '2026-03-02', version: '1' },
      'Failed to update interaction.',
    ],
    ['client_interaction', `${here}.data`, of(interaction, 'delete-interaction'), 'Failed to delete interaction.'],
    [
      'invoice',
      '/payments.data',
      { intent: 'create', clientId: String(client), amount: '150', description: 'Coaching' },
      'Failed to create invoice.',
    ],
    [
      'product',
      '/products.data',
      { intent: 'add', name: 'Retainer', price: '420.00', isActive: 'active' },
      'Failed to create product',
    ],
    [
      'product',
      '/products.data',
      { ...of(product, 'edit'), name: 'Retainer', price: '420.00', isActive: 'active', version: '1' },
      'Failed to update product',
    ],
    ['product', '/products.data', of(product, 'delete'), 'Failed to delete product'],
    [
      'pipeline_stage',
      '/pipeline.data',
      { intent: 'addStage', name: 'Dreaming', color: '#336699', position: '0' },
      'Failed to create stage. Please try again.',
    ],
    [
      'pipeline_stage',
      '/pipeline.data',
      { ...of(stage, 'editStage'), name: 'Dreaming', color: '#336699', position: '0', openedAt: '0', version: '1' },
      'Failed to update stage. Please try again.',
    ],
    // Its name and color stay; only its position changes.
    [
      'pipeline_stage',
      '/pipeline.data',
      {
        ...of(empty.id, 'editStage'),
        name: 'Empty',
        color: empty.color,
        position: '0',
        openedAt: String(empty.order),
        version: '1',
      },
      'Failed to update stage. Please try again.',
    ],
    ['prospect', '/pipeline.data', { ...lead, intent: 'add' }, 'Failed to create prospect. Please try again.'],
    [
      'prospect',
      '/pipeline.data',
      { ...lead, ...of(prospect, 'edit') },
      'Failed to update prospect. Please try again.',
    ],
    ['prospect', '/pipeline.data', of(prospect, 'delete'), 'Failed to delete prospect. Please try again.'],
    ['prospect', '/pipeline.data', of(prospect, 'convert'), 'Failed to convert prospect. Please try again.'],
    ['pipeline_stage', '/pipeline.data', of(empty.id, 'deleteStage'), 'Failed to delete stage. Please try again.'],
  ]
  const answers = []
  for (const [table, to, form, words] of catalogue)
    answers.push([to, form.intent, await withFailingTable(table, () => getToast(to, form)), words] as const)
  expect(answers.map(([to, intent, told]) => [to, intent, told])).toEqual(
    answers.map(([to, intent, , words]) => [to, intent, `Error: ${words}`]),
  )
}, 120_000)

test('a summary that can and one that can’t be started show it', async () => {
  const id = await inTenant(coach, async (ctx) => {
    const startTime = new Date(ctx.now().getTime() - 2 * 3_600_000).toISOString()
    const endTime = new Date(ctx.now().getTime() - 3_600_000).toISOString()
    const session = { title: 'Spring plan', clientId: ids.client, startTime, endTime }
    const { id: appointmentId } = await createAppointment(ctx, NewAppointment.parse(session))
    await completeSession(ctx, appointmentId, { notes: null })
    await giveConsent(ctx, { clientId: ids.client }, { channel: 'spoken', wording: 'I agree' })
    const content = '[00:00:05] Ada Coach: What has happened since we last spoke?'
    await addTranscript(ctx, appointmentId, { source: 'paste', fileName: null, content, field: 'text' })
    await ctx.query({
      text: 'update session_transcript set processing_since = null where coach_id = $1 and appointment_id = $2',
      values: [ctx.coachId, appointmentId],
    })
    return appointmentId
  })
  const generate = () => getToast('/session-summaries.data', { intent: 'generate', id: String(id) })
  expect(await withFailingTable('session_transcript', generate)).toBe(
    'Summary Generation Failed: The summary could not be started. Please try again.',
  )
  expect(await generate()).toMatch(/^Summary Generation Started/)
})

test('a session without its fields shows what is missing', async () => {
  expect(await getToast('/calendar.data', { intent: 'schedule', title: 'Spring plan' })).toBe(
    'Missing Information: Please fill in all required fields including selecting either a client or prospect.',
  )
})

test('a list that can’t be read shows which one, and no page of the browser', async () => {
  for (const [table, path, words] of [
    ['purchase', '/purchases', 'Failed to fetch purchases'],
    ['client_interaction', `/clients/${ids.client}/interactions`, 'Failed to fetch interactions'],
  ] as const) {
    await asOwner(app.ownerUrl, (db) => db.query(`alter table "${table}" rename to "${table}_elsewhere"`))
    try {
      const page = await built.request(path, { cookie: coach.cookie })
      expect([page.status, page.text.includes(words)]).toEqual([500, true])
    } finally {
      await asOwner(app.ownerUrl, (db) => db.query(`alter table "${table}_elsewhere" rename to "${table}"`))
    }
  }
})

test('a login shows that it worked', async () => {
  const password = 'a long password of theirs'
  const { email } = await createCoach({ password })
  const page = await built.request('/auth', { form: { intent: 'login', email, password } })
  const toast = readSetToast(page.headers['set-cookie'] ?? [])
  expect([toast?.title, toast?.text]).toEqual(['Login successful', 'Welcome back!'])
})

test('a failed logout shows a message, and the session stays valid', async () => {
  const told = async () => {
    const page = await built.request('/logout', {
      cookie: coach.cookie,
      form: {},
      headers: { referer: `http://localhost:${built.port}/clients?q=a` },
    })
    const cookies = page.headers['set-cookie'] ?? []
    const toast = readSetToast(cookies)
    return {
      status: page.status,
      to: page.headers.location,
      toast: [toast?.title, toast?.text],
      ends: cookies.some((value) => value.startsWith('session=;')),
    }
  }
  const isSignedIn = async () => (await built.request('/dashboard', { cookie: coach.cookie })).status === 200
  expect(await withFailingTable('session', told)).toEqual({
    status: 302,
    to: '/clients?q=a',
    toast: ['Logout failed', 'Something went wrong on our side.'],
    ends: false,
  })
  expect(await isSignedIn()).toBe(true)
  expect(await told()).toMatchObject({
    status: 302,
    to: '/auth',
    toast: ['Logged out', 'See you next time!'],
    ends: true,
  })
  expect(await isSignedIn()).toBe(false)
})
