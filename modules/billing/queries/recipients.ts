import { ignoreNotFound } from '#app/lib/errors.ts'
import { getClient } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'

/** The client's email address; null without one, and for a client who is deleted or erased. */
export async function findClientEmail(ctx: Ctx, clientId: number | null): Promise<string | null> {
  if (clientId === null) return null
  const client = await getClient(ctx, clientId).catch(ignoreNotFound)
  return client?.email || null
}
