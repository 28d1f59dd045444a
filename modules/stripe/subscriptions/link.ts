import { signedLink } from '#tenants/signed-link.ts'

/** The client's page of a subscription. */
export const {
  getPath: getSubscriptionPath,
  getUrl: getSubscriptionUrl,
  read: readSubscriptionToken,
} = signedLink('subscription', '/subscribe/')
