import type { Invoice, MerchantAccount, PortalSession, Session } from './objects.ts'

// The pages at Stripe that a browser test walks through.

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><form method="post">${body}</form></html>`

const button = (name: string, value: string, label: string): string =>
  `<button name="${name}" value="${value}">${label}</button> `

export const payPage = ({ amount_total, currency }: Session, error = ''): string =>
  page(
    'Pay',
    `<p>${(amount_total / 100).toFixed(2)} ${currency.toUpperCase()}</p><p role="alert">${error}</p>` +
      button('how', 'card', 'Pay by card') +
      button('how', 'declined', 'Pay by a card that is declined') +
      button('how', 'bank_debit', 'Pay by bank debit') +
      button('how', 'back', 'Back'),
  )

export const invoicePage = ({ status, amount_due, currency }: Invoice): string =>
  page(
    'Invoice',
    `<p>${(amount_due / 100).toFixed(2)} ${currency.toUpperCase()}, ${status}</p>` +
      (status === 'open' ? button('do', 'pay', 'Pay with another card') : ''),
  )

export const onboardingPage = ({ display_name }: MerchantAccount): string =>
  page(
    `Set up ${display_name.replace(/[<>&]/g, '')}`,
    button('status', 'active', 'Finish') +
      button('status', 'pending', 'Finish, to be checked') +
      button('status', 'restricted', 'Finish without a document') +
      button('status', 'leave', 'Leave'),
  )

export const portalPage = ({ flow }: PortalSession): string =>
  page(
    'Billing portal',
    (flow?.type === 'subscription_update_confirm' ? button('do', 'confirm', 'Confirm the change') : '') +
      button('do', 'cancel', 'Cancel plan') +
      button('do', 'card', 'Update card') +
      button('do', 'back', 'Return'),
  )
