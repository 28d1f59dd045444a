import { defaultParam, enumParam, idParam, pageParam, textParam, urlState } from '#app/lib/url.ts'

export const pageSize = 50

export const subscriptionsUrl = urlState('/payments/subscriptions', {
  /** Only those of this client. */
  client: idParam,
  page: pageParam,
  dialog: enumParam(['new', 'export', 'subscription', 'price', 'change', 'cancel', 'withdraw']),
  subscription: idParam,
  /** The one that a subscription is to change to. */
  product: idParam,
  clientSearch: textParam,
})
export type SubscriptionListState = Pick<ReturnType<typeof subscriptionsUrl.parse>, 'client' | 'page'>

/** Downloads a CSV file. */
export const subscriptionsExportUrl = urlState('/payments/subscriptions/export', {
  file: defaultParam(['subscriptions', 'charges'], 'subscriptions'),
})
