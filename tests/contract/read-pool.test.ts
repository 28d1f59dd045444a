import { expect, test } from 'vitest'
import { createCoach, contextFor } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

createTestApp()

const moment = {
  name: 'test.moment',
  text: `select current_setting('app.coach_id') as coach, pg_backend_pid() || ' ' || now() as transaction`,
}

test('concurrent reads of a request share one transaction, as its own coach', async () => {
  const [one, other] = [await createCoach(), await createCoach()]
  const [ofOne, ofOther] = [await contextFor(one), await contextFor(other)]
  type Moment = { coach: string; transaction: string }
  const [[first], [second], [third], [strangers]] = await Promise.all([
    ofOne.query<Moment>(moment),
    ofOne.query<Moment>(moment),
    ofOne.queryAll([moment]).then((answers) => answers[0] as Moment[]),
    ofOther.query<Moment>(moment),
  ])
  expect([first!.coach, strangers!.coach]).toEqual([String(one.id), String(other.id)])
  expect(second).toEqual(first)
  expect(third).toEqual(first)
  expect(strangers!.transaction).not.toBe(first!.transaction)
})

test('a failing query does not fail the others in its batch', async () => {
  const ctx = await contextFor(await createCoach())
  const [good, bad] = await Promise.allSettled([
    ctx.query(moment),
    ctx.query({ name: 'test.refused', text: 'select 1 / 0 as never' }),
  ])
  expect(good.status).toBe('fulfilled')
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } })
})
