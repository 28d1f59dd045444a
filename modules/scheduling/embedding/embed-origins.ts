import type { AppLoadContext } from '@remix-run/node'
import { authorize, type Ctx, type WriteCtx } from '#tenants/context.ts'

/** The websites that may show the booking page in a frame. */
export async function listEmbedOrigins(ctx: Ctx): Promise<string[]> {
  authorize(ctx, 'scheduling:availability:read')
  const [found] = await ctx.query<{ origins: string[] }>({
    name: 'scheduling.embed-origins',
    text: 'select origins from booking_embed where coach_id = $1',
    values: [ctx.coachId],
  })
  return found?.origins ?? []
}

/** None: no website may. */
export async function saveEmbedOrigins(ctx: WriteCtx, origins: string[]): Promise<void> {
  authorize(ctx, 'scheduling:type:write')
  await ctx.query({
    name: 'scheduling.save-embed-origins',
    text: `insert into booking_embed (coach_id, origins, created_at, updated_at) values ($1, $2, $3, $3)
      on conflict (coach_id) do update set origins = excluded.origins, updated_at = excluded.updated_at`,
    values: [ctx.coachId, origins, ctx.now()],
  })
}

/** Lets those websites show this page, if its URL says that it is in a frame. */
export async function allowEmbedding(context: AppLoadContext, ctx: Ctx, { searchParams }: URL): Promise<boolean> {
  if (searchParams.get('embed') !== '1') return false
  context.allowFraming(await listEmbedOrigins(ctx))
  return true
}
