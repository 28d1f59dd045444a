import { AppError } from '#app/lib/errors.ts'
import type { OnboardingPart } from '#modules/core/manifest.ts'
import { fillSlot, type SlotResult } from '#modules/core/slots.ts'
import { updateProfile } from '#tenants/accounts/accounts.ts'
import { listOnboardingMarks } from '#tenants/accounts/onboarding.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { countDone, requiredSteps, steps } from './steps.ts'

/** Loads what modules contribute to the steps, and which of the four steps are completed. */
export async function loadProgress(
  ctx: Ctx,
): Promise<{ calendar: SlotResult[]; payment: SlotResult[]; done: boolean[] }> {
  const [marks, calendar, payment] = await Promise.all([
    listOnboardingMarks(ctx),
    fillSlot(ctx, 'onboarding.calendar'),
    fillSlot(ctx, 'onboarding.payment'),
  ])
  const done = [
    ctx.account.businessName !== null,
    calendar.some(isDone),
    marks.includes('payment') || payment.some(isDone),
    marks.includes('branding'),
  ]
  return { calendar, payment, done }
}

const isDone = ({ data }: SlotResult): boolean => (data as OnboardingPart).done

/** Ends the onboarding. Throws conflict while too few steps are completed. */
export async function finishOnboarding(ctx: WriteCtx): Promise<void> {
  const { done } = await loadProgress(ctx)
  if (countDone(done) < requiredSteps)
    throw new AppError('conflict', `Complete at least ${requiredSteps} of the ${steps.length} steps first.`)
  await updateProfile(ctx, { onboardingCompleted: true })
}
