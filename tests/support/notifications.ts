import { expect } from 'vitest'
import { chooseNotifications } from '#modules/core/notifications.ts'
import { inTenant, type Coach } from './factories.ts'

/** `send` runs the job of the email and returns how many emails have arrived at the coach. */
export type DueEmail = { coach: Coach; send: () => Promise<number> }

/**
 * Checks that the coach gets an email until they switch its kind off, also between planning and sending it.
 * tests/contract/notifications.test.ts requires this for each notification that a module declares.
 */
export async function expectSwitchable(kind: string, prepare: () => Promise<DueEmail>): Promise<void> {
  const byDefault = await prepare()
  expect(await byDefault.send()).toBe(1)
  const { coach, send } = await prepare()
  await inTenant(coach, (ctx) => chooseNotifications(ctx, { [kind]: false }))
  expect(await send()).toBe(0)
}
