import { createEndpoint, setEndpointState } from '#modules/webhooks/services/endpoints.ts'
import { deliverTo } from '#modules/webhooks/services/deliveries.ts'
import { clientCreated } from '#modules/crm/events.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'

const page = ({ webhookId }: World) => `/settings/webhooks/${webhookId}`

export const screens: Screen[] = [
  { name: 'webhooks', route: '/settings/webhooks', path: '/settings/webhooks', as: 'full' },
  { name: 'webhooks-none', route: '/settings/webhooks', path: '/settings/webhooks', as: 'newcomer' },
  { name: 'webhook', route: '/settings/webhooks/:id', path: page, as: 'full' },
  {
    name: 'webhook-secret',
    route: '/settings/webhooks/:id',
    path: (world) => `${page(world)}?dialog=secret`,
    as: 'full',
  },
  {
    name: 'webhook-delete',
    route: '/settings/webhooks/:id',
    path: (world) => `${page(world)}?dialog=delete`,
    as: 'full',
  },
]

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    webhookId: number
  }
}

/** A webhook that is off, with a delivery that has failed. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const webhookId = await inTenant(full, async (ctx) => {
    const url = `https://automation.example.com/${longText.replaceAll(/\W/g, '')}`
    const { id } = await createEndpoint(ctx, { url, events: [clientCreated.name] })
    await deliverTo(ctx, id, clientCreated.name, { clientId: 1 })
    await setEndpointState(ctx, id, false)
    return id
  })
  return { webhookId }
}
