import { z } from 'zod'
import { chooseNotifications, listNotifications } from '#modules/core/notifications.ts'
import { getUser, UserOut } from '#tenants/accounts/accounts.ts'
import { operation } from '#tenants/api/operation.ts'

const tags = ['Authentication']

const NotificationsOut = z.array(
  z.object({
    kind: z.string(),
    label: z.string().describe('When the email is sent'),
    group: z.string(),
    description: z.string().nullable(),
    isOn: z.boolean(),
  }),
)

/** The emails to the coach that can be switched off. */
export const notificationOperations = [
  operation({
    method: 'get',
    path: '/auth/notifications',
    permission: 'account:profile:read',
    summary: 'List the emails that you can switch off',
    description:
      'Those about security, your own plan, your exports, your own domain and closing the account are always sent.',
    tags,
    answers: { 200: NotificationsOut },
    handle: listNotifications,
  }),
  operation({
    method: 'put',
    path: '/auth/notifications',
    permission: 'account:profile:write',
    summary: 'Choose which emails you get',
    description: 'Changes the given kinds only. Returns the account.',
    tags,
    body: z.object({ choices: z.record(z.string().max(100), z.boolean()).describe('Whether it is sent, by kind') }),
    answers: { 200: UserOut },
    async handle(ctx, { body }) {
      await chooseNotifications(ctx, body.choices)
      return getUser(ctx)
    },
  }),
]
