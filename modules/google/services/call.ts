import type { calendar_v3 } from '@googleapis/calendar'
import type { Ctx } from '#tenants/context.ts'
import { callWithToken, fetchMeet } from '../vendor/client.ts'
import { withAccessToken } from './oauth.ts'

/** Calls Google Calendar as the coach, outside of a transaction. Throws GoogleError. */
export const callCalendar = <T>(ctx: Ctx, work: (api: calendar_v3.Calendar) => Promise<T>): Promise<T> =>
  withAccessToken(ctx, (token) => callWithToken(ctx.platform.config, token, work))

/** Calls Google Meet as `callCalendar` does. */
export const callMeet = (ctx: Ctx, path: string): Promise<unknown> =>
  withAccessToken(ctx, (token) => fetchMeet(ctx.platform.config, token, path))
