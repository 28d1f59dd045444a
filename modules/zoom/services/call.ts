import type { Ctx } from '#tenants/context.ts'
import { createApi, type ZoomApi } from '../vendor/client.ts'
import { ZoomError } from '../vendor/errors.ts'
import { recordFailure, recordSuccess, withAccessToken } from './oauth.ts'

/** Calls Zoom as the coach, outside of a transaction, and records how it went. Throws ZoomError. */
export async function callZoom<T>(ctx: Ctx, work: (api: ZoomApi) => Promise<T>): Promise<T> {
  try {
    const result = await withAccessToken(ctx, (token) => work(createApi(ctx.platform.config, token)))
    await ctx.write(recordSuccess)
    return result
  } catch (error) {
    if (!(error instanceof ZoomError)) throw error
    if (error.kind === 'not_found') await ctx.write(recordSuccess)
    else await recordFailure(ctx, error)
    throw error
  }
}
