import type { LoaderFunctionArgs } from '@remix-run/node'
import { replaceWith } from '#app/lib/form-submission.ts'
import { loadAccount } from '#tenants/accounts/accounts.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { syncPlanNow } from '../plan/sync.ts'

/** Stripe sends the coach here. It proves nothing: the plan is asked for, and the page shows it. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { platform, coachId, plan } = context.coach()
  try {
    await syncPlanNow(platform, coachId)
  } catch (error) {
    context.log.warn({ err: error }, 'the plan could not be asked for')
    const text = 'Stripe can’t be reached. Your plan changes as soon as it answers.'
    return replaceWith('/upgrade', [context.cookies.toast({ tone: 'error', title: 'Error', text })])
  }
  const account = await loadAccount(platform, coachId)
  if (!account || account.plan === plan) return replaceWith('/upgrade', [])
  const text = `You are now on ${plans[account.plan].title}.`
  return replaceWith('/upgrade', [context.cookies.toast({ tone: 'success', title: 'Subscription Updated', text })])
}
