import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
const pages = [
  ...globSync('{app,modules/*}/routes/**/*.{ts,tsx}', { cwd: root }),
  ...globSync('scripts/new-module/templates/routes/**/*.txt', { cwd: root }),
]
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const hasAction = (file: string): boolean => /^export (async )?(function|const) action\b/m.test(read(file))
const hasClientAction = (file: string): boolean =>
  /^export const clientAction = (keepFormOnFailure|formClientAction)\(/m.test(read(file))

/** The browser itself keeps the input of a page without scripts. */
const hasScripts = (file: string): boolean => !read(file).includes('export const handle = { scripts: false }')

/**
 * No form with input is sent there: unknown addresses, what other services call, and buttons that lead to Stripe
 * or, in bars without code in the browser, close the bar or open another account's document. Or
 * only from pages without scripts.
 */
const withoutForm = [
  'app/routes/not-found.tsx',
  'modules/admin/routes/dismiss-announcement.ts',
  'modules/admin/routes/leave-support.ts',
  'modules/admin/routes/open-support.ts',
  'modules/forms/routes/answer-file.ts',
  'modules/google/routes/notification.ts',
  'modules/portal/routes/sign-out.ts',
  'modules/stripe/routes/webhook.ts',
  'modules/stripe/routes/pay-invoice.ts',
  'modules/stripe/routes/pay-plan.ts',
  'modules/stripe/routes/pay-subscription.ts',
  'modules/summaries/routes/revai-webhook.ts',
  'modules/resources/routes/shared-file.ts',
  'modules/zoom/routes/webhook.ts',
  'modules/resources/routes/upload.ts',
]

test('every page with an action keeps the input when the server cannot be reached', () => {
  const withAction = pages.filter((file) => hasAction(file) && !withoutForm.includes(file))
  expect(withAction.length).toBeGreaterThan(15)
  expect(withAction.filter((file) => hasScripts(file) && !hasClientAction(file))).toEqual([])
})
