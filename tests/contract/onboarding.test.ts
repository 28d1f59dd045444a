import { describe, expect, test } from 'vitest'
import { finishOnboarding, loadProgress } from '#app/onboarding/onboarding.server.ts'
import { updateBranding, updateProfile } from '#tenants/accounts/accounts.ts'
import { markOnboardingStep } from '#tenants/accounts/onboarding.ts'
import { contextFor, createCoach, inTenant, type Coach } from '#tests/support/factories.ts'
import { createTestApp } from '#tests/support/test-app.ts'

createTestApp()
const getDone = async (coach: Coach) => (await loadProgress(await contextFor(coach))).done
const isCompleted = async (coach: Coach) => (await contextFor(coach)).account.onboardingCompleted

describe('the onboarding', () => {
  test('can be finished once three of the four steps are completed', async () => {
    const coach = await createCoach()
    expect(await getDone(coach)).toEqual([false, false, false, false])
    await inTenant(coach, (tx) => updateProfile(tx, { businessName: 'Winter Coaching' }))
    await inTenant(coach, (tx) => markOnboardingStep(tx, 'payment'))
    expect(await getDone(coach)).toEqual([true, false, true, false])
    await expect(inTenant(coach, finishOnboarding)).rejects.toMatchObject({ code: 'conflict' })
    expect(await isCompleted(coach)).toBe(false)

    await inTenant(coach, (tx) => updateBranding(tx, { primaryColor: '#0f766e' }))
    await inTenant(coach, (tx) => markOnboardingStep(tx, 'payment'))
    expect(await getDone(coach)).toEqual([true, false, true, true])
    await inTenant(coach, finishOnboarding)
    expect(await isCompleted(coach)).toBe(true)
  })

  test('does not count a change of nothing as branding, nor the steps of another coach', async () => {
    const [coach, other] = [await createCoach(), await createCoach()]
    await inTenant(coach, (tx) => updateBranding(tx, {}))
    await inTenant(other, (tx) => updateBranding(tx, { primaryColor: '#0f766e' }))
    expect(await getDone(coach)).toEqual([false, false, false, false])
  })
})
