import type { Ctx, WriteCtx } from '../context.ts'
import type { OnboardingMark } from '../schema.ts'

/** The steps that were marked as completed. */
export async function listOnboardingMarks(ctx: Ctx): Promise<OnboardingMark[]> {
  const [account] = await ctx.query<{ marks: OnboardingMark[] }>({
    name: 'account.onboarding-steps',
    text: 'select onboarding_steps as marks from account where id = $1',
    values: [ctx.coachId],
  })
  return account!.marks
}

/** Marks a step as completed. Does nothing the second time. */
export async function markOnboardingStep(ctx: WriteCtx, step: OnboardingMark): Promise<void> {
  await ctx.query({
    name: 'account.mark-onboarding-step',
    text: `update account set onboarding_steps = array_append(onboarding_steps, $2)
      where id = $1 and not $2 = any(onboarding_steps)`,
    values: [ctx.coachId, step],
  })
}
