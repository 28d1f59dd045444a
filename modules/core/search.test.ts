import { dayMs } from '#app/lib/time.ts'
import { describe, expect, test } from 'vitest'
import { mergeHits } from '#app/lib/search.ts'
import { indexContent } from '#db/triggers.ts'
import { createCoach, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { eraseTrash } from './trash.ts'

const app = createTestApp()

const call = async (as: Coach, method: string, path: string, body?: object) => {
  const answer = await app.call(method, `/api${path}`, { as, ...(body ? { body } : {}) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
let count = 0
const addClient = (as: Coach, fields: object = {}): Promise<{ id: number }> =>
  call(as, 'POST', '/clients', { name: 'Grace Hopper', email: `grace${++count}@example.com`, ...fields })
type Hit = { type: string; id: number; title: string; subtitle: string; to: string }
const search = async (as: Coach, term: string): Promise<Hit[]> => {
  const [byName, byContent]: [Hit[], Hit[]] = [
    await call(as, 'GET', `/search?q=${encodeURIComponent(term)}`),
    await call(as, 'GET', `/search?q=${encodeURIComponent(term)}&in=content`),
  ]
  return mergeHits(byName, byContent)
}
const searchTitles = async (as: Coach, term: string) =>
  (await search(as, term)).map(({ type, title, subtitle }) => [type, title, subtitle])

describe('the content search', () => {
  test('finds plain text, ignoring formatting, case and accents', async () => {
    const as = await createCoach()
    await addClient(as, { notes: '## First session\nThe **fear** of *Préven*tion, ==always==\n• 100% \\*sure' })
    for (const term of ['fear of prevention', 'FEAR OF', 'prevention, always', '**fear** of'])
      expect([term, await searchTitles(as, term)]).toEqual([
        term,
        [['client', 'Grace Hopper', 'The fear of Prévention, always']],
      ])
    expect(await searchTitles(as, '100% sure')).toEqual([['client', 'Grace Hopper', '• 100% *sure']])
    for (const term of ['***', '___', 'fear%of', 'first__session never', '%%%'])
      expect([term, await searchTitles(as, term)]).toEqual([term, []])
  })

  test('links to the interaction that contains the text', async () => {
    const as = await createCoach()
    const { id: clientId } = await addClient(as, { fears: 'Being a lighthouse' })
    const contact = await call(as, 'POST', `/clients/${clientId}/interactions`, {
      name: 'A call',
      content: 'She drew a **light**house.',
      interactionDate: '2026-03-01T10:00:00Z',
    })
    expect(await search(as, 'lighthouse')).toEqual([
      {
        type: 'client',
        id: clientId,
        title: 'Grace Hopper',
        subtitle: 'Being a lighthouse',
        to: `/clients/${clientId}`,
      },
      {
        type: 'interaction',
        id: contact.id,
        title: 'Grace Hopper: A call',
        subtitle: 'She drew a lighthouse.',
        to: `/clients/${clientId}?dialog=interaction&interaction=${contact.id}`,
      },
    ])
  })

  test('lists matches after those by name, each record once', async () => {
    const as = await createCoach()
    const named = await addClient(as, { name: 'Harbour Town', notes: 'The harbour again' })
    const noting = await addClient(as, { notes: 'Lives near the harbour' })
    expect((await search(as, 'harbour')).map(({ id }) => id)).toEqual([named.id, noting.id])
    for (let more = 0; more < 7; more++) await addClient(as, { name: `Harbour ${more}` })
    expect((await search(as, 'harbour')).map(({ title }) => title).every((title) => title.startsWith('Harbour'))).toBe(
      true,
    )
  })

  test('follows edits, deletion, restoring and erasing', async () => {
    const as = await createCoach()
    const { id } = await addClient(as, { notes: 'Collects stamps' })
    const contact = await call(as, 'POST', `/clients/${id}/interactions`, {
      name: 'A call',
      content: 'More stamps',
      interactionDate: '2026-03-01T10:00:00Z',
    })
    await call(as, 'PATCH', `/clients/${id}`, { notes: 'Collects coins' })
    expect(await searchTitles(as, 'stamps')).toEqual([['interaction', 'Grace Hopper: A call', 'More stamps']])
    expect(await searchTitles(as, 'coins')).toEqual([['client', 'Grace Hopper', 'Collects coins']])
    await call(as, 'PATCH', `/clients/${id}`, { notes: '' })
    expect(await searchTitles(as, 'coins')).toEqual([])
    await call(as, 'PATCH', `/clients/${id}`, { notes: 'Collects coins' })
    await call(as, 'DELETE', `/clients/${id}`)
    expect([await searchTitles(as, 'coins'), await searchTitles(as, 'stamps')]).toEqual([[], []])
    await call(as, 'POST', `/clients/${id}/restore`)
    expect([await searchTitles(as, 'coins'), await searchTitles(as, 'stamps')]).toEqual([
      [['client', 'Grace Hopper', 'Collects coins']],
      [['interaction', 'Grace Hopper: A call', 'More stamps']],
    ])
    await call(as, 'DELETE', `/clients/${id}/interactions/${contact.id}`)
    expect(await searchTitles(as, 'stamps')).toEqual([])

    await call(as, 'DELETE', `/clients/${id}`)
    app.clock.now = new Date(app.clock.now.getTime() + 31 * dayMs)
    await eraseTrash(app.platform)
    expect(await listIndexedTexts(as.id)).toEqual([])
  })

  test('finds text in the middle of a long line', async () => {
    const as = await createCoach()
    await addClient(as, { notes: `${'before '.repeat(3000)}the *nee*dle, ${'after '.repeat(3000)}` })
    const [[, , line] = []] = await searchTitles(as, 'needle')
    expect(line).toMatch(/^….*before the needle, after .*…$/)
    expect([...line!].length).toBeLessThan(130)
  })

  test('finds nothing of another coach', async () => {
    const [ada, bea] = [await createCoach(), await createCoach()]
    await addClient(bea, { notes: 'A secret garden' })
    expect(await searchTitles(ada, 'secret garden')).toEqual([])
    expect(await searchTitles(bea, 'secret garden')).toHaveLength(1)
  })

  test('finds records written before the index existed, each in its practice', async () => {
    const [ada, bea] = [await createCoach(), await createCoach()]
    await asOwner(app.ownerUrl, async (db) => {
      await db.query(
        `create table letter (coach_id bigint not null, id bigserial, body text, primary key (coach_id, id))`,
      )
      await db.query(
        `insert into letter (coach_id, body) values ($1, 'Dear **Ada**'), ($2, 'Dear Bea'), ($2, null), ($2, '**')`,
        [ada.id, bea.id],
      )
      await db.query(indexContent('letter', ['body']))
    })
    expect([await listIndexedTexts(ada.id), await listIndexedTexts(bea.id)]).toEqual([
      ['letter: dear ada'],
      ['letter: dear bea'],
    ])
  })
})

function listIndexedTexts(coachId: number): Promise<string[]> {
  return asOwner(app.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
    return (await db.query<{ all: string }>(`select kind || ': ' || content as all from search_content`)).rows.map(
      ({ all }) => all,
    )
  })
}
