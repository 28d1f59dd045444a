import { AppError } from '#app/lib/errors.ts'
import type { AutomationAction } from '../core/automations.ts'
import { listEndpoints } from './queries/webhooks.ts'
import { deliverTo } from './services/deliveries.ts'
import { lockEndpoint } from './services/endpoints.ts'

export const automationActions: AutomationAction[] = [
  {
    name: 'webhooks.call',
    label: 'Call a webhook',
    order: 50,
    permission: 'webhooks:endpoint:write',
    people: ['client', 'prospect'],
    fields: [
      {
        name: 'endpoint',
        label: 'Webhook',
        kind: 'choice',
        required: 'Choose a webhook',
        hint: 'It gets the event automation.run with the ids of the automation and of the client or prospect.',
        options: async (ctx) => (await listEndpoints(ctx)).map(({ id, url }) => ({ value: String(id), label: url })),
      },
    ],
    describe: (_settings, { endpoint }) => `Call ${endpoint}`,
    run: async (ctx, { endpoint }, { automation, trigger, person }) => {
      const { id, disabledAt } = await lockEndpoint(ctx, Number(endpoint))
      if (disabledAt) throw new AppError('conflict', 'The webhook is switched off.')
      await deliverTo(ctx, id, 'automation.run', {
        automationId: automation.id,
        trigger,
        [`${person.kind}Id`]: person.id,
      })
    },
  },
]
