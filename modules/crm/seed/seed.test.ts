import { describe, expect, test } from 'vitest'
import { plainText } from '#app/lib/markup.ts'
import { aCoach, aHouse, ctxFor } from '#tests/support/test-app.ts'
import { clientsNewestFirst } from '../queries/clients.ts'
import { interactionsNewestFirst } from '../queries/interactions.ts'
import { northStar, stillwater } from './people.ts'
import { seed } from './seed.ts'
import { wordsOf } from './texts.ts'

const house = aHouse()

describe.each([
  ['first', stillwater],
  ['second', northStar],
] as const)('the %s demo practice', (which, people) => {
  test('has contacts with everybody, since they came and never tomorrow, and words about most', async () => {
    const coach = await aCoach(house)
    const ctx = await ctxFor(coach)
    await seed(ctx, { which, now: house.clock.now })
    const [clients, contacts] = [
      await clientsNewestFirst(ctx, { rows: null, after: null }),
      await interactionsNewestFirst(ctx, { rows: null }),
    ]

    expect(clients).toHaveLength(people.length)
    const day = 86_400_000
    for (const client of clients) {
      const own = contacts.filter(({ clientId }) => clientId === client.id)
      expect([client.name, own.length > 0]).toEqual([client.name, true])
      for (const { name, interactionDate } of own) {
        const at = new Date(interactionDate).getTime()
        expect([
          client.name,
          name,
          at >= new Date(client.createdAt).getTime() - day && at <= house.clock.now.getTime(),
        ]).toEqual([client.name, name, true])
      }
    }
    expect(clients.filter(({ notes }) => notes).length).toBeGreaterThan(clients.length * 0.7)
    expect(clients.filter(({ fears }) => fears).length).toBeGreaterThan(clients.length * 0.6)
    // Every sign in them is one of the markup's, with its partner.
    for (const text of [
      ...clients.flatMap(({ notes, goals }) => [notes, goals]),
      ...contacts.map(({ content }) => content),
    ])
      expect(plainText(text ?? '')).not.toMatch(/\*\*|__|==/)
  }, 60_000)
})

test('nobody is written about who is not there', () => {
  const names = new Set([...stillwater, ...northStar].map(({ name }) => name))
  expect(Object.keys(wordsOf).filter((name) => !names.has(name))).toEqual([])
})
