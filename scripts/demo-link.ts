import { runtime } from '#app/server/process/runtime.ts'
import { loadCoachContext } from '#tenants/accounts/accounts.ts'
import { ensureSecret } from './ensure-data-dir.ts'
import { runAsOwner } from './owner-database.ts'

/** Prints a new link that signs the client of a demo practice in to the portal. */
export function printDemoLink(coachId: number): Promise<void> {
  return runAsOwner(async ({ config, ownerUrl }) => {
    if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
    const platform = await runtime.open({ appUrl: ownerUrl, config: { ...config, role: 'web' } })
    try {
      const ctx = await loadCoachContext(platform, coachId, 'demo')
      const link = await ctx?.extensions.clientSignIn?.createDemoLink(ctx)
      if (link) console.log(`Client          ${link.name}, once within 15 minutes:\n  ${link.url}`)
    } finally {
      await platform.close()
    }
  })
}
