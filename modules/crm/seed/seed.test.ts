import { dayMs } from '#app/lib/time.ts'
import { describe, expect, test } from 'vitest'
import { plainText } from '#app/lib/markup.ts'
import { createCoach, contextFor } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'
import { listClients } from '../queries/clients.ts'
import { listInteractions } from '../queries/interactions.ts'
import { northStar, stillwater } from './people.ts'
import { seed } from './seed.ts'
import { clientTexts } from './texts.ts'

const app = createTestApp()

describe.each([
  ['first', stillwater],
  ['second', northStar],
] as const)('the %s demo practice', (which, people) => {
  test('has interactions with all clients, in the past and after they joined, and notes about most', async () => {
    const coach = await createCoach()
    const ctx = await contextFor(coach)
    await seed(ctx, { which, now: app.clock.now })
    const [clients, interactions] = [
      await listClients(ctx, { rows: null, after: null }),
      await listInteractions(ctx, { rows: null }),
    ]

    expect(clients).toHaveLength(people.length)
    for (const client of clients) {
      const own = interactions.filter(({ clientId }) => clientId === client.id)
      expect([client.name, own.length > 0]).toEqual([client.name, true])
      for (const { name, interactionDate } of own) {
        const at = new Date(interactionDate).getTime()
        expect([
          client.name,
          name,
          at >= new Date(client.createdAt).getTime() - dayMs && at <= app.clock.now.getTime(),
        ]).toEqual([client.name, name, true])
      }
    }
    expect(clients.filter(({ notes }) => notes).length).toBeGreaterThan(clients.length * 0.7)
    expect(clients.filter(({ fears }) => fears).length).toBeGreaterThan(clients.length * 0.6)
    // All markup is valid: no marker is left in the plain text.
    for (const text of [
      ...clients.flatMap(({ notes, goals }) => [notes, goals]),
      ...interactions.map(({ content }) => content),
    ])
      expect(plainText(text ?? '')).not.toMatch(/\*\*|__|==/)
  }, 60_000)
})

test('every text is about a client of the demo practice', () => {
  const names = new Set([...stillwater, ...northStar].map(({ name }) => name))
  expect(Object.keys(clientTexts).filter((name) => !names.has(name))).toEqual([])
})
