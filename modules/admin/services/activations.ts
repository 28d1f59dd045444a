import type { Platform } from '#tenants/platform.ts'

/** Records when coaches added their first client, for the analytics: these outlive clients and accounts. */
export async function recordActivations(platform: Platform): Promise<void> {
  await platform.readPool.queryGlobal({
    name: 'admin.record-activations',
    text: 'select record_coach_activations()',
  })
}
