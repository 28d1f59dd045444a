import { getClient, listClientOptions } from '#modules/crm/index.ts'
import { coachOrigin } from '#tenants/config.ts'
import type { Ctx } from '#tenants/context.ts'
import { createLink } from './sign-in-email.ts'

/** As on the sign-in page, without the email. Seeds give their records to the first client by name. */
export async function createDemoLink(ctx: Ctx): Promise<{ name: string; url: string } | null> {
  const origin = coachOrigin(ctx.platform.config, ctx.account)
  const [first] = await listClientOptions(ctx, { rows: 1 })
  if (!origin || !first) return null
  const { id, name, email } = await getClient(ctx, first.id)
  if (!email) return null
  const host = new URL(origin).hostname
  const recipient = { id, name, email: email.toLowerCase() }
  const token = await ctx.write((tx) => createLink(tx, recipient, { host, isInvitation: false }))
  return { name, url: `${origin}/portal/sign-in/${token}` }
}
