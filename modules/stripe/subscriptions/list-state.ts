import { enumParam, idParam, pageParam, textParam, urlState } from '#app/lib/url.ts'

export const pageSize = 50

export const subscriptionsUrl = urlState('/payments/subscriptions', {
  /** Only those of this client. */
  client: idParam,
  page: pageParam,
  dialog: enumParam(['new', 'subscription', 'price', 'cancel', 'withdraw']),
  subscription: idParam,
  clientSearch: textParam,
})
export type SubscriptionListState = Pick<ReturnType<typeof subscriptionsUrl.parse>, 'client' | 'page'>
