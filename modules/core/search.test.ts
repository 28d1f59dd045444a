import { describe, expect, test } from 'vitest'
import { foundTogether } from '#app/lib/search-results.ts'
import { withWords } from '#db/columns.ts'
import { aCoach, aHouse, type Coach } from '#tests/support/test-app.ts'
import { asOwner } from '#tests/support/as-db-owner.ts'
import { eraseTrash } from './trash.ts'

const house = aHouse()

const call = async (as: Coach, method: string, path: string, body?: object) => {
  const answer = await house.call(method, `/api${path}`, { as, ...(body ? { body } : {}) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
let made = 0
const aClient = (as: Coach, fields: object = {}): Promise<{ id: number }> =>
  call(as, 'POST', '/clients', { name: 'Grace Hopper', email: `grace${++made}@example.com`, ...fields })
type Hit = { type: string; id: number; title: string; subtitle: string; to: string }
const found = async (as: Coach, term: string): Promise<Hit[]> => {
  const [named, saying]: [Hit[], Hit[]] = [
    await call(as, 'GET', `/search?q=${encodeURIComponent(term)}`),
    await call(as, 'GET', `/search?q=${encodeURIComponent(term)}&in=words`),
  ]
  return foundTogether(named, saying)
}
const said = async (as: Coach, term: string) =>
  (await found(as, term)).map(({ type, title, subtitle }) => [type, title, subtitle])

describe('what is noted', () => {
  test('is found by its plain text, whatever its formatting, case and accents', async () => {
    const as = await aCoach(house)
    await aClient(as, { notes: '## First session\nThe **fear** of *Préven*tion, ==always==\n• 100% \\*sure' })
    for (const term of ['fear of prevention', 'FEAR OF', 'prevention, always', '**fear** of'])
      expect([term, await said(as, term)]).toEqual([
        term,
        [['client', 'Grace Hopper', 'The fear of Prévention, always']],
      ])
    expect(await said(as, '100% sure')).toEqual([['client', 'Grace Hopper', '• 100% *sure']])
    for (const term of ['***', '___', 'fear%of', 'first__session never', '%%%'])
      expect([term, await said(as, term)]).toEqual([term, []])
  })

  test('leads to the contact, the prospect or the appointment that says it', async () => {
    const as = await aCoach(house)
    const { id: clientId } = await aClient(as, { fears: 'Being a lighthouse' })
    const contact = await call(as, 'POST', `/clients/${clientId}/interactions`, {
      name: 'A call',
      content: 'She drew a **light**house.',
      interactionDate: '2026-03-01T10:00:00Z',
    })
    const prospect = await call(as, 'POST', '/prospects', {
      name: 'Ravi',
      stageId: 'lead',
      notes: 'Wants to buy a lighthouse',
    })
    const appointment = await call(as, 'POST', '/appointments', {
      title: 'Walk',
      clientId,
      description: 'Meet at the lighthouse',
      startTime: '2026-03-12T10:00:00Z',
      endTime: '2026-03-12T11:00:00Z',
    })
    expect(await found(as, 'lighthouse')).toEqual([
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
      {
        type: 'prospect',
        id: prospect.id,
        title: 'Ravi',
        subtitle: 'Wants to buy a lighthouse',
        to: `/pipeline?dialog=edit&prospect=${prospect.id}`,
      },
      {
        type: 'appointment',
        id: appointment.id,
        title: 'Walk',
        subtitle: 'Meet at the lighthouse',
        to: `/calendar?dialog=appointment&appointment=${appointment.id}`,
      },
    ])
  })

  test('comes behind the names, where they leave room, and each record once', async () => {
    const as = await aCoach(house)
    const named = await aClient(as, { name: 'Harbour Town', notes: 'The harbour again' })
    const noting = await aClient(as, { notes: 'Lives near the harbour' })
    expect((await found(as, 'harbour')).map(({ id }) => id)).toEqual([named.id, noting.id])
    for (let more = 0; more < 7; more++) await aClient(as, { name: `Harbour ${more}` })
    expect((await found(as, 'harbour')).map(({ title }) => title).every((title) => title.startsWith('Harbour'))).toBe(
      true,
    )
  })

  test('is as new as the record: edited, deleted, restored, erased', async () => {
    const as = await aCoach(house)
    const { id } = await aClient(as, { notes: 'Collects stamps' })
    const contact = await call(as, 'POST', `/clients/${id}/interactions`, {
      name: 'A call',
      content: 'More stamps',
      interactionDate: '2026-03-01T10:00:00Z',
    })
    await call(as, 'PATCH', `/clients/${id}`, { notes: 'Collects coins' })
    expect(await said(as, 'stamps')).toEqual([['interaction', 'Grace Hopper: A call', 'More stamps']])
    expect(await said(as, 'coins')).toEqual([['client', 'Grace Hopper', 'Collects coins']])
    await call(as, 'PATCH', `/clients/${id}`, { notes: '' })
    expect(await said(as, 'coins')).toEqual([])
    await call(as, 'PATCH', `/clients/${id}`, { notes: 'Collects coins' })
    await call(as, 'DELETE', `/clients/${id}`)
    expect([await said(as, 'coins'), await said(as, 'stamps')]).toEqual([[], []])
    await call(as, 'POST', `/clients/${id}/restore`)
    expect([await said(as, 'coins'), await said(as, 'stamps')]).toEqual([
      [['client', 'Grace Hopper', 'Collects coins']],
      [['interaction', 'Grace Hopper: A call', 'More stamps']],
    ])
    await call(as, 'DELETE', `/clients/${id}/interactions/${contact.id}`)
    expect(await said(as, 'stamps')).toEqual([])

    await call(as, 'DELETE', `/clients/${id}`)
    house.clock.now = new Date(house.clock.now.getTime() + 31 * 86_400_000)
    await eraseTrash(house.platform)
    expect(await wordsOf(as.id)).toEqual([])
  })

  test('is found in the middle of a long line', async () => {
    const as = await aCoach(house)
    await aClient(as, { notes: `${'before '.repeat(3000)}the *nee*dle, ${'after '.repeat(3000)}` })
    const [[, , line] = []] = await said(as, 'needle')
    expect(line).toMatch(/^….*before the needle, after .*…$/)
    expect([...line!].length).toBeLessThan(130)
  })

  test('is nobody else’s', async () => {
    const [ada, bea] = [await aCoach(house), await aCoach(house)]
    await aClient(bea, { notes: 'A secret garden' })
    expect(await said(ada, 'secret garden')).toEqual([])
    expect(await said(bea, 'secret garden')).toHaveLength(1)
  })

  test('before there was such a search is found too, each in its practice', async () => {
    const [ada, bea] = [await aCoach(house), await aCoach(house)]
    await asOwner(house.ownerUrl, async (db) => {
      await db.query(
        `create table letter (coach_id bigint not null, id bigserial, body text, primary key (coach_id, id))`,
      )
      await db.query(
        `insert into letter (coach_id, body) values ($1, 'Dear **Ada**'), ($2, 'Dear Bea'), ($2, null), ($2, '**')`,
        [ada.id, bea.id],
      )
      await db.query(withWords('letter', ['body']))
    })
    expect([await wordsOf(ada.id), await wordsOf(bea.id)]).toEqual([['letter: dear ada'], ['letter: dear bea']])
  })
})

function wordsOf(coachId: number): Promise<string[]> {
  return asOwner(house.ownerUrl, async (db) => {
    await db.query(`select set_config('app.coach_id', $1, false)`, [String(coachId)])
    return (await db.query<{ all: string }>(`select kind || ': ' || words as all from search_words`)).rows.map(
      ({ all }) => all,
    )
  })
}
