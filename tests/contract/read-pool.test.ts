import { expect, test } from 'vitest'
import { aCoach, aHouse, ctxFor } from '#tests/support/test-app.ts'

const house = aHouse()

const moment = {
  name: 'test.moment',
  text: `select current_setting('app.coach_id') as coach, pg_backend_pid() || ' ' || now() as transaction`,
}

test('what a request asks for at the same moment is read in one transaction, as its own coach', async () => {
  const [one, other] = [await aCoach(house), await aCoach(house)]
  const [ofOne, ofOther] = [await ctxFor(one), await ctxFor(other)]
  type Moment = { coach: string; transaction: string }
  const [[first], [second], [third], [strangers]] = await Promise.all([
    ofOne.rows<Moment>(moment),
    ofOne.rows<Moment>(moment),
    ofOne.rowsOf([moment]).then((answers) => answers[0] as Moment[]),
    ofOther.rows<Moment>(moment),
  ])
  expect([first!.coach, strangers!.coach]).toEqual([String(one.id), String(other.id)])
  expect(second).toEqual(first)
  expect(third).toEqual(first)
  expect(strangers!.transaction).not.toBe(first!.transaction)
})

test('one question that is refused does not take those asked with it', async () => {
  const ctx = await ctxFor(await aCoach(house))
  const [good, bad] = await Promise.allSettled([
    ctx.rows(moment),
    ctx.rows({ name: 'test.refused', text: 'select 1 / 0 as never' }),
  ])
  expect(good.status).toBe('fulfilled')
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } })
})
