import { checkDomain } from '#tenants/domains/custom-domain.ts'
import { findCustomDomain } from '#tenants/domains/queries.ts'
import { contextFor, type Coach } from './test-app.ts'

/** Connects the coach's domain: as if its DNS had the records that the page shows. */
export async function proveDomain(coach: Coach): Promise<void> {
  const ctx = await contextFor(coach)
  const { token } = (await findCustomDomain(ctx))!
  const dns = {
    listTexts: async () => [`practice-verify=${token}`],
    listAliases: async () => ['localhost'],
    listIpv4: async () => [],
    listIpv6: async () => [],
  }
  await checkDomain({ ...ctx, platform: { ...ctx.platform, dns } })
}
